package dev.offcut.bench.handle;

import org.jspecify.annotations.Nullable;

/**
 * Where handles escape to. Child JVMs are started with this method not inlined, so that every
 * handle becomes an object in the heap, as one that is passed to a program's own code does.
 */
public final class Sink {
  /** For {@code -XX:CompileCommand}. */
  public static final String NOT_INLINED = "dontinline," + Sink.class.getName() + "::take";

  private static boolean keeps;
  private static @Nullable Object kept;

  private Sink() {}

  /**
   * Never keeps it, but the compiler must expect so: its analysis of calls that are not inlined
   * does not follow conditions. A store would cost more than a plain object does.
   */
  public static void take(Object handle) {
    if (keeps) {
      kept = handle;
    }
  }

  static @Nullable Object kept() {
    return kept;
  }
}
