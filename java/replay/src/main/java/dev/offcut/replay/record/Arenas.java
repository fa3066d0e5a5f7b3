package dev.offcut.replay.record;

import dev.offcut.replay.space.ArenaKind;
import dev.offcut.replay.space.Words;
import dev.offcut.replay.trace.ClassMemory;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arenas of a trace that is being made: by loader, and by hidden class. */
final class Arenas {
  /** The reflection accessors' loaders, in any package of the JDK. */
  private static final String REFLECTION = "DelegatingClassLoader";

  /** Hidden classes that live as long as their loader, in its arena: those of lambdas. */
  private static final String LAMBDA = "$$Lambda";

  /** One arena, and what was put into it. */
  static final class Arena {
    final int number;
    final long loader;
    final ArenaKind kind;
    long classes;
    long words;

    private Arena(int number, long loader, ArenaKind kind) {
      this.number = number;
      this.loader = loader;
      this.kind = kind;
    }

    void add(ClassMemory memory, long times) {
      classes += times;
      words += times * memory.words();
    }

    long bytes() {
      return Words.toBytes(words);
    }
  }

  private final Map<Object, Arena> open = new HashMap<>();
  private int made;

  /** The open arena of a class; null if it is its first class. */
  @Nullable Arena of(Recording.Defined defined) {
    return open.get(key(defined));
  }

  Arena open(Recording.Defined defined) {
    return open(key(defined), defined.loader(), kind(defined));
  }

  /** The arena of a loader of which nothing but its number is known. */
  Arena open(long loader) {
    return open(loader, loader, loader == Recording.BOOT ? ArenaKind.BOOT : ArenaKind.STANDARD);
  }

  /** The arena that an unloaded class had, removed; null if it is gone already. */
  @Nullable Arena close(Recording.Unloaded unloaded) {
    Arena hidden = open.remove(unloaded.className());
    return hidden == null ? open.remove(unloaded.loader()) : hidden;
  }

  Collection<Arena> open() {
    return open.values();
  }

  private Arena open(Object key, long loader, ArenaKind kind) {
    Arena arena = new Arena(made, loader, kind);
    made++;
    open.put(key, arena);
    return arena;
  }

  private static Object key(Recording.Defined defined) {
    return hasOwn(defined) ? defined.className() : (Object) defined.loader();
  }

  private static ArenaKind kind(Recording.Defined defined) {
    if (hasOwn(defined)) {
      return ArenaKind.HIDDEN;
    }
    if (defined.loader() == Recording.BOOT) {
      return ArenaKind.BOOT;
    }
    boolean reflection = defined.loaderType().endsWith(REFLECTION);
    return reflection ? ArenaKind.REFLECTION : ArenaKind.STANDARD;
  }

  private static boolean hasOwn(Recording.Defined defined) {
    return defined.hidden() && !defined.className().contains(LAMBDA);
  }
}
