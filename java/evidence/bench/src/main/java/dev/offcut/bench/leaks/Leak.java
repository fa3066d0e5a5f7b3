package dev.offcut.bench.leaks;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.bench.Agent;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

  /** All, in the order of the file; none where the collection is not there. */
  static List<Leak> all() {
    if (!Files.isRegularFile(TRUTH)) {
      return List.of();
    }
    try (Reader text = Files.newBufferedReader(TRUTH)) {
      Map<?, ?> all = new ObjectMapper().readValue(text, Map.class);
      List<?> leaks = (List<?>) Objects.requireNonNull(all.get("leaks"));
      return leaks.stream().map(one -> of((Map<?, ?>) one)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(TRUTH + " cannot be read", e);
    }
  }

  /** That of a name. */
  static Leak named(String name) {
    return all().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  private static Leak of(Map<?, ?> json) {
    return new Leak(
        text(json, "name"),
        text(json, "main"),
        text(json, "what"),
        text(json, "finding"),
        text(json, "kind"),
        texts(json, "lines"),
        ((Number) Objects.requireNonNull(json.get("bytes"))).longValue(),
        texts(json, "jvm"),
        text(json, "firstBroken"),
        text(json, "firstFixed"),
        environment(json.get("environmentFixed")),
        text(json, "nmt"));
  }

  private static String text(Map<?, ?> json, String member) {
    Object value = json.get(member);
    return value == null ? "" : value.toString();
  }

  private static List<String> texts(Map<?, ?> json, String member) {
    Object value = json.get(member);
    return value == null ? List.of() : ((List<?>) value).stream().map(String::valueOf).toList();
  }

  @SuppressWarnings("unchecked") // the schema says so
  private static Map<String, String> environment(@Nullable Object json) {
    return json == null ? Map.of() : (Map<String, String>) json;
  }
}
