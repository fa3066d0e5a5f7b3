package dev.offcut.retrofit.base.io;

import java.util.Set;

/**
 * Whether a class is one of the JDK's collections that read their elements one by one, and do
 * nothing else with the stream: they call its public methods, or have it check the length of an
 * array. Held by the class itself.
 */
public final class KnownCollections extends ClassValue<Boolean> {
  /** In java.util. A text: the agent reads it, too, and its classes see no helper's fields. */
  public static final String NAMES =
      "ArrayDeque,ArrayList,CollSer,EnumMap,HashMap,HashSet,Hashtable,IdentityHashMap,LinkedList,"
          + "PriorityQueue,TreeMap,TreeSet,concurrent.ConcurrentHashMap,"
          + "concurrent.ConcurrentLinkedQueue,concurrent.ConcurrentSkipListMap,"
          + "concurrent.CopyOnWriteArrayList,concurrent.LinkedBlockingQueue";

  public static final String PACKAGE = "java.util.";

  private final Set<String> names = Set.of(NAMES.split(","));

  KnownCollections() {}

  @Override
  protected Boolean computeValue(Class<?> type) {
    return type.getClassLoader() == null
        && type.getName().startsWith(PACKAGE)
        && names.contains(type.getName().substring(PACKAGE.length()));
  }
}
