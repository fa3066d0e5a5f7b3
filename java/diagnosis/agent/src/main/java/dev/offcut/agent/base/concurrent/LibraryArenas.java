package dev.offcut.agent.base.concurrent;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Arenas that Offcut's libraries open. The JDK's arena is not what has the memory there, and a net
 * of the library finds what the program forgets: so such an arena is never lost.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class LibraryArenas {
  /** Told of each; null where arenas are not tracked. Set before the program opens any. */
  public static volatile @Nullable Consumer<Object> marks;

  private LibraryArenas() {}

  /** One that the program has just opened. If it forgets to close it, the library's net does. */
  public static void netted(Object arena) {
    Consumer<Object> told = marks;
    if (told != null) {
      try {
        told.accept(arena);
      } catch (Throwable e) {
        // No stack is left: it counts as any other.
      }
    }
  }
}
