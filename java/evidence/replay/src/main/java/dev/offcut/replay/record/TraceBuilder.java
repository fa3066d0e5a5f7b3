package dev.offcut.replay.record;

import dev.offcut.replay.record.SizeEstimate.SizedClasses;
import dev.offcut.replay.space.Space.ArenaKind;
import dev.offcut.replay.space.Words;
import dev.offcut.replay.trace.Example2;
import dev.offcut.replay.trace.Op;
import dev.offcut.replay.trace.Op.ClassMemory;
import dev.offcut.replay.trace.Op.Range;
import dev.offcut.replay.trace.Trace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes a trace of a recording. An arena is opened by its first class and closed when that is
 * unloaded. Classes that were there before the recording began come first; what is unloaded without
 * a class in between is one unloading, and the largest has marks.
 */
final class TraceBuilder {
  /** The lines below the header, each given its number at last. */
  private final List<IntFunction<Op>> lines = new ArrayList<>();

  private final Recording recording;
  private final SizedClasses sizes;
  private final Arenas arenas = new Arenas();
  private final Map<Long, Recording.Totals> totals;
  private final SortedSet<Integer> closing = new TreeSet<>();
  private @Nullable Allocation pending;
  private int largestUnloading;
  private int largestFrom;
  private int largestTo;
  private long classes;
  private long withoutFile;

  /** Equal classes of one arena, one after the other. */
  private record Allocation(int arena, ClassMemory memory, long times) {}

  TraceBuilder(Recording recording, SizedClasses sizes) {
    this.recording = recording;
    this.sizes = sizes;
    this.totals = recording.totals();
  }

  /** To be called once. */
  Trace build(String name, long classSpaceBytes) {
    loadedBefore();
    for (Recording.Event event : recording.events()) {
      switch (event) {
        case Recording.Defined defined -> defined(defined);
        case Recording.Unloaded unloaded -> unloaded(unloaded);
      }
    }
    flush();
    markLargestUnloading();
    List<Op> ops = new ArrayList<>();
    for (IntFunction<Op> line : lines) {
      ops.add(line.apply(ops.size() + 2));
    }
    return new Trace(name, classSpaceBytes, estimate(), ops);
  }

  // ---- Before the recording

  private void loadedBefore() {
    totals.forEach(
        (loader, total) -> {
          long before = total.classes() - definedForGood(loader);
          if (before > 0 || loader == Recording.BOOT) {
            Arenas.Arena arena = open(arenas.open(loader));
            withoutFile += Math.max(0, before);
            allocate(arena, sizes.ofUnknown(), Math.max(0, before));
          }
        });
  }

  /** Classes of a loader that were defined and not unloaded. */
  private long definedForGood(long loader) {
    long sum = 0;
    for (Recording.Event event : recording.events()) {
      if (event.loader() == loader) {
        sum += event instanceof Recording.Defined ? 1 : -1;
      }
    }
    return sum;
  }

  // ---- Lines

  private void defined(Recording.Defined defined) {
    endUnloading();
    Arenas.Arena arena = arenas.of(defined);
    if (arena == null) {
      arena = open(arenas.open(defined));
    }
    withoutFile += sizes.isFound(defined) ? 0 : 1;
    allocate(arena, sizes.of(defined), 1);
  }

  private void unloaded(Recording.Unloaded unloaded) {
    Arenas.Arena arena = arenas.close(unloaded);
    if (arena != null) {
      closing.add(arena.number);
    }
  }

  private Arenas.Arena open(Arenas.Arena arena) {
    flush();
    lines.add(line -> new Op.Open(line, Range.of(arena.number), arena.kind));
    return arena;
  }

  private void allocate(Arenas.Arena arena, ClassMemory memory, long times) {
    if (times == 0) {
      return;
    }
    classes += times;
    arena.add(memory, times);
    Allocation last = pending;
    if (last != null && last.arena() == arena.number && last.memory().equals(memory)) {
      pending = new Allocation(arena.number, memory, last.times() + times);
    } else {
      flush();
      pending = new Allocation(arena.number, memory, times);
    }
  }

  /** Writes what is held back: the last classes, or the end of an unloading. */
  private void flush() {
    Allocation last = pending;
    if (last != null) {
      Range arena = Range.of(last.arena());
      lines.add(line -> new Op.Allocate(line, arena, "", last.memory(), last.times()));
      pending = null;
    }
    endUnloading();
  }

  private void endUnloading() {
    if (closing.isEmpty()) {
      return;
    }
    int closed = closing.size();
    SortedSet<Integer> all = new TreeSet<>(closing);
    closing.clear();
    flush(); // what came before
    int from = lines.size();
    ranges(all).forEach(range -> lines.add(line -> new Op.Close(line, range)));
    lines.add(Op.Purge::new);
    if (closed > largestUnloading) {
      largestUnloading = closed;
      largestFrom = from;
      largestTo = lines.size();
    }
  }

  /** Neighbouring numbers as one. */
  private static Collection<Range> ranges(SortedSet<Integer> numbers) {
    List<Range> ranges = new ArrayList<>();
    for (int number : numbers) {
      Range last = ranges.isEmpty() ? null : ranges.getLast();
      if (last != null && last.last() == number - 1) {
        ranges.set(ranges.size() - 1, new Range(last.first(), number));
      } else {
        ranges.add(Range.of(number));
      }
    }
    return ranges;
  }

  private void markLargestUnloading() {
    if (largestUnloading > 0) {
      lines.add(largestTo, line -> new Op.Mark(line, Example2.AFTER));
      lines.add(largestFrom, line -> new Op.Mark(line, Example2.BEFORE));
    }
  }

  // ---- How good it is

  private Trace.Estimate estimate() {
    long estimated = 0;
    for (Arenas.Arena arena : arenas.open()) {
      estimated += totals.containsKey(arena.loader) ? arena.bytes() : 0;
    }
    long measured = totals.values().stream().mapToLong(Recording.Totals::blockBytes).sum();
    return new Trace.Estimate(classes, withoutFile, estimated, measured);
  }

  /** The arenas of a trace that is being made: by loader, and by hidden class. */
  static final class Arenas {
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
}
