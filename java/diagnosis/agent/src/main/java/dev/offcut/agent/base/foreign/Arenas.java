package dev.offcut.agent.base.foreign;

import dev.offcut.agent.base.Kind;
import dev.offcut.agent.base.concurrent.LibraryArenas;
import dev.offcut.agent.base.concurrent.Probes;
import java.lang.ref.Reference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Arenas of the JDK: what the factories of their sessions call when one is opened.
 *
 * <p>A session has a list of what is to be freed, which is a {@link ConfinedList} or a {@link
 * SharedList} in the place of the JDK's: each sees what is added, and when the arena is closed,
 * whoever closes it. The list has the arena's {@link ArenaAccount}, which the collector finds with
 * it.
 *
 * <p>A helper: a copy of it beside those sessions runs, any thread calls it, and it throws nothing.
 */
public final class Arenas implements Consumer<Object> {
  static {
    OpenArenas.start();
    Probes.arenas = new ArenaProbes();
    LibraryArenas.marks = new Arenas();
  }

  private Arenas() {}

  /** One for one thread was opened. */
  public static void openedConfined(Stock.Session session) {
    // A session from before the agent has the JDK's list.
    if ((Object) session.resourceList instanceof ConfinedList list) {
      list.entry = open(Kind.CONFINED, list);
    }
  }

  /** One for all threads was opened. */
  public static void openedShared(Stock.Session session) {
    openShared(Kind.SHARED, session);
  }

  /** One for the collector was opened. */
  public static void openedAutomatic(Stock.Session session) {
    openShared(Kind.AUTOMATIC, session);
  }

  private static void openShared(int kind, Stock.Session session) {
    if ((Object) session.resourceList instanceof SharedList list) {
      list.entry = open(kind, list);
    }
  }

  private static @Nullable ArenaAccount open(int kind, Stock.List list) {
    try {
      return ArenaAccount.open(kind, list);
    } catch (Throwable e) {
      return null; // no memory is left: it will count as open
    }
  }

  /** A confined arena has given bytes that its thread had at hand, which stand in no list. */
  public static void sliced(Stock.Session session, long bytes) {
    if ((Object) session.resourceList instanceof ConfinedList list) {
      grow(list.entry, bytes);
    }
  }

  /** A list has accepted something that is to be freed. */
  static void added(@Nullable ArenaAccount entry, Object cleanup) {
    if (cleanup instanceof Stock.Allocation allocation) {
      grow(entry, allocation.val$allocationSize);
    }
  }

  private static void grow(@Nullable ArenaAccount entry, long bytes) {
    if (entry != null) {
      try {
        entry.grow(bytes);
      } catch (Throwable e) {
        // No stack is left. The program has its memory, and must not be told that it has not.
      }
    }
  }

  /** A library of Offcut's, whose net frees what the program forgets, has just opened one. */
  @Override
  public void accept(Object arena) {
    try {
      Object session = ((Stock.Arena) arena).scope();
      Object list = ((Stock.Session) session).resourceList;
      ArenaAccount entry =
          list instanceof ConfinedList confined
              ? confined.entry
              : list instanceof SharedList shared ? shared.entry : null;
      if (entry != null) {
        entry.hasNet = true;
      }
    } finally {
      Reference.reachabilityFence(arena); // found before that would count as lost
    }
  }

  /** What is in a list is about to be freed. */
  static void ending(@Nullable ArenaAccount entry) {
    if (entry != null) {
      try {
        entry.end();
      } catch (Throwable e) {
        // As above: what is to be freed must be.
      }
    }
  }
}
