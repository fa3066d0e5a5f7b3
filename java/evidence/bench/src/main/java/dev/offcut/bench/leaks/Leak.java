package dev.offcut.bench.leaks;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.bench.Agent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The truth about one program of {@code java/evidence/leaks}, as leaks.json has it.
 *
 * @param name of its case
 * @param main its class
 * @param what which library, and what of it
 * @param finding the severities of which the right finding has one
 * @param kind words of which that finding's kind or title has one; empty: anything
 * @param lines where it leaks; empty: no line is to be named
 * @param counts how many have leaked at the end, counted in one way or another; empty: none
 * @param bytes what has leaked at the end; 0: little
 * @param arguments of the program, after its form
 * @param jvm further JVM options
 * @param jvmBroken those of the broken form alone
 * @param firstBroken folder of jars before all others, for the broken form; empty: none
 * @param firstFixed the same for the fixed form
 * @param environmentFixed what the fixed form has in its environment
 * @param needs a library or a file without which the program does not run; empty: nothing
 * @param nmt the category of native memory tracking in which the memory is; empty: none
 */
record Leak(
    String name,
    String main,
    String what,
    List<String> finding,
    List<String> kind,
    List<String> lines,
    List<Long> counts,
    long bytes,
    List<String> arguments,
    List<String> jvm,
    List<String> jvmBroken,
    String firstBroken,
    String firstFixed,
    Map<String, String> environmentFixed,
    String needs,
    String nmt) {
  private static final Path TRUTH = Agent.target("evidence/leaks").resolveSibling("leaks.json");

  /** What is not in the file is empty. */
  Leak {
    arguments = arguments == null ? List.of() : arguments;
    jvm = jvm == null ? List.of() : jvm;
    jvmBroken = jvmBroken == null ? List.of() : jvmBroken;
    firstBroken = firstBroken == null ? "" : firstBroken;
    firstFixed = firstFixed == null ? "" : firstFixed;
    environmentFixed = environmentFixed == null ? Map.of() : environmentFixed;
    needs = needs == null ? "" : needs;
    nmt = nmt == null ? "" : nmt;
  }

  /** Whether this machine has what the program needs. */
  @SuppressWarnings("restricted") // a library that the program will load
  boolean canRun() {
    if (needs.isEmpty() || needs.startsWith("/")) {
      return needs.isEmpty() || Files.exists(Path.of(needs));
    }
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup.libraryLookup(needs, arena);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** All, in the order of the file; none where the collection is not there. */
  static List<Leak> all() {
    if (!Files.isRegularFile(TRUTH)) {
      return List.of();
    }
    ObjectMapper mapper =
        new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    try {
      JsonNode leaks = mapper.readTree(TRUTH.toFile()).required("leaks");
      return List.of(mapper.treeToValue(leaks, Leak[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(TRUTH + " cannot be read", e);
    }
  }

  /** That of a name. */
  static Leak named(String name) {
    return all().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }
}
