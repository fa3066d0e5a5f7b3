package dev.offcut.agent.stream;

import java.util.Set;

/**
 * Whether a class is one of the JDK's collections that read their elements one by one, and do
 * nothing else with the stream: they call its public methods, or have it check the length of an
 * array. Held by the class itself.
 */
final class KnownCollections extends ClassValue<Boolean> {
  /** In java.util. */
  static final Set<String> NAMES =
      Set.of(
          "ArrayDeque",
          "ArrayList",
          "CollSer",
          "EnumMap",
          "HashMap",
          "HashSet",
          "Hashtable",
          "IdentityHashMap",
          "LinkedList",
          "PriorityQueue",
          "TreeMap",
          "TreeSet",
          "concurrent.ConcurrentHashMap",
          "concurrent.ConcurrentLinkedQueue",
          "concurrent.ConcurrentSkipListMap",
          "concurrent.CopyOnWriteArrayList",
          "concurrent.LinkedBlockingQueue");

  static final String PACKAGE = "java.util.";

  KnownCollections() {}

  @Override
  protected Boolean computeValue(Class<?> type) {
    return type.getClassLoader() == null
        && type.getName().startsWith(PACKAGE)
        && NAMES.contains(type.getName().substring(PACKAGE.length()));
  }
}
