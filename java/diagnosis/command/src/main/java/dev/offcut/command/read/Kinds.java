package dev.offcut.command.read;

import java.util.List;

/**
 * The kinds of resources that the agent counts: their order, and what people call them. Kinds that
 * begin with {@link #CLOSEABLE} are classes of a program: {@link Closeables} knows their rules.
 */
public final class Kinds {
  /** What stands before the class, in the kind of objects that a rule names. */
  public static final String CLOSEABLE = "closeable:";

  /** What is registered with a cleaner. */
  public static final String CLEANER = "cleaner";

  /** All of these kinds together, in words. */
  public static final String BY_RULE = "objects of classes that rules name";

  /**
   * A kind.
   *
   * @param form what one of them is called, or several with (s)
   * @param remedy what ends one in time
   */
  private record Known(String name, String form, String remedy) {
    String words(long count) {
      return form.replace("(s)", count == 1 ? "" : "s");
    }
  }

  private static final List<Known> KNOWN =
      List.of(
          new Known("arena.confined", "confined arena(s)", "close each in try-with-resources"),
          new Known(
              "arena.shared",
              "shared arena(s)",
              "close each after its last use; the JDK never does"),
          new Known(
              "arena.automatic",
              "automatic arena(s)",
              "use Arena.ofConfined() in try-with-resources: it frees at once"),
          new Known("buffer.direct", "direct buffer(s)", "reuse buffers, or take them from a pool"),
          new Known("unsafe", "Unsafe block(s)", "call Unsafe.freeMemory in a finally block"),
          new Known("jna", "JNA block(s)", "call Memory.close(), or use try-with-resources"),
          new Known(
              "malloc.downcall",
              "malloc block(s) by downcall",
              "call free in a finally, or reinterpret the segment with an arena that frees it"),
          new Known(
              "malloc.jna",
              "Native.malloc block(s)",
              "call Native.free in a finally, or use Memory in try-with-resources"),
          new Known(CLEANER, "object(s) with a Cleaner", "close each in try-with-resources"),
          new Known(
              "finalizer",
              "object(s) with a finalizer",
              "replace finalize() by a close method that the program calls"),
          new Known(
              NativeCallers.KIND,
              "native block(s)",
              "close the objects of native libraries that the program creates there"));

  private Kinds() {}

  static List<String> names() {
    return KNOWN.stream().map(Known::name).toList();
  }

  static int order(String kind) {
    for (int i = 0; i < KNOWN.size(); i++) {
      if (KNOWN.get(i).name().equals(kind)) {
        return i;
      }
    }
    return KNOWN.size();
  }

  /** Whether it is a class whose objects a rule names; their bytes are not known. */
  public static boolean isCloseable(String kind) {
    return kind.startsWith(CLOSEABLE);
  }

  static String simpleName(String kind) {
    return kind.substring(Math.max(kind.lastIndexOf('.'), CLOSEABLE.length() - 1) + 1);
  }

  /** What so many of them are called, as in "confined arenas". */
  public static String words(String kind, long count) {
    int order = order(kind);
    if (order == KNOWN.size()) {
      return isCloseable(kind) ? simpleName(kind) : kind;
    }
    return KNOWN.get(order).words(count);
  }

  public static String remedy(String kind) {
    int order = order(kind);
    return order == KNOWN.size() ? "close each" : KNOWN.get(order).remedy();
  }

  /** What a pool of buffers keeps; {@code chunks}: below zero if it is not known. */
  public static String inChunks(long kept, long chunks) {
    return Figures.bytes(kept) + " in " + (chunks < 0 ? "chunks" : Figures.count(chunks, "chunk"));
  }

  /** Whether its memory is in the JVM's own count, in the category Other. */
  static boolean isInOther(String kind) {
    return kind.startsWith("arena.") || kind.equals("buffer.direct") || kind.equals("unsafe");
  }

  public static boolean isInMalloc(String kind) {
    return isInOther(kind) || kind.equals("jna") || kind.startsWith("malloc.");
  }

  public static boolean isEstimated(String kind) {
    return kind.equals(NativeCallers.KIND);
  }

  /** Whether the collector ends it by design, so that it is nobody's mistake. */
  public static boolean isLeftToCollector(String kind) {
    return kind.equals("arena.automatic") || kind.equals("finalizer");
  }

  /**
   * Whether its class's form alone says that it has to be closed: its package stands for a rule.
   */
  public static boolean isByShape(Digest.Closeable one) {
    return one.kind().startsWith(CLOSEABLE + one.library() + ".");
  }
}
