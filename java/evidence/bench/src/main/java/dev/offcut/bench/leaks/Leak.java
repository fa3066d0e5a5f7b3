package dev.offcut.bench.leaks;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.bench.Agent;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * @param finding the first word of the finding that is right
 * @param kind what that finding's kind or title contains; empty: anything
 * @param lines where it leaks; empty: no line is to be named
 * @param bytes what has leaked at the end; 0: little
 * @param jvm further JVM options
 * @param firstBroken folder of jars before all others, for the broken form; empty: none
 * @param firstFixed the same for the fixed form
 * @param environmentFixed what the fixed form has in its environment
 * @param nmt the category of native memory tracking in which the memory is; empty: none
 */
record Leak(
    String name,
    String main,
    String what,
    String finding,
    String kind,
    List<String> lines,
    long bytes,
    List<String> jvm,
    String firstBroken,
    String firstFixed,
    Map<String, String> environmentFixed,
    String nmt) {
  private static final Path TRUTH = Agent.target("evidence/leaks").resolveSibling("leaks.json");

  /** What is not in the file is empty. */
  Leak {
    kind = kind == null ? "" : kind;
    lines = lines == null ? List.of() : lines;
    jvm = jvm == null ? List.of() : jvm;
    firstBroken = firstBroken == null ? "" : firstBroken;
    firstFixed = firstFixed == null ? "" : firstFixed;
    environmentFixed = environmentFixed == null ? Map.of() : environmentFixed;
    nmt = nmt == null ? "" : nmt;
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
