package dev.offcut.agent.base.concurrent;

import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Arenas that Offcut's libraries open. The JDK's arena is not what has the memory there, and a net
 * of the library finds what the program forgets: so such an arena is never lost.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class LibraryArenas {
  /** The program opens it and has to close it; if it forgets that, the library's net does. */
  public static final int NETTED = 0;

  /** The library opens it for itself, and may let it go: it counts as closed at once. */
  public static final int OWN = 1;

  /** Told of each; null where arenas are not tracked. Set before the program opens any. */
  public static volatile @Nullable ObjIntConsumer<Object> marks;

  private LibraryArenas() {}

  /** One that the program has just opened. */
  public static void netted(Object arena) {
    mark(arena, NETTED);
  }

  /** One that the library has just opened for itself. */
  public static void own(Object arena) {
    mark(arena, OWN);
  }

  private static void mark(Object arena, int as) {
    ObjIntConsumer<Object> told = marks;
    if (told != null) {
      try {
        told.accept(arena, as);
      } catch (Throwable e) {
        // No stack is left: it counts as any other.
      }
    }
  }
}
