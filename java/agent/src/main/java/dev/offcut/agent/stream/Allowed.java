package dev.offcut.agent.stream;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The filter that allows what was read, and nothing else. The stream names classes; a filter is
 * asked about more than that: the arrays that the JDK's collections are about to make, and the
 * objects that the JDK puts in the place of those in the stream. What a program's own {@code
 * readResolve} returns is not known here.
 */
final class Allowed {
  /** By how the name of a class in the stream begins: what the filter is asked about, too. */
  private static final Map<String, List<String>> ALSO =
      Map.of(
          "java.util.", List.of("java.lang.Object", "java.util.Map$Entry"),
          "java.util.CollSer", List.of("java.util.ImmutableCollections$*"),
          "java.util.EnumSet$", List.of("java.util.RegularEnumSet", "java.util.JumboEnumSet"),
          "java.time.Ser", List.of("java.time.*"),
          "java.time.chrono.Ser", List.of("java.time.chrono.*"),
          "java.time.zone.Ser", List.of("java.time.zone.*"));

  private Allowed() {}

  /** The filter, as {@code -Djdk.serialFilter} takes it. */
  static String filter(Set<String> classes) {
    Set<String> patterns = new TreeSet<>(classes);
    ALSO.forEach(
        (beginning, also) -> {
          if (classes.stream().anyMatch(name -> name.startsWith(beginning))) {
            patterns.addAll(also);
          }
        });
    return String.join(";", patterns) + ";!*";
  }
}
