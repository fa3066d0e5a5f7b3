package dev.offcut.handle;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * 1024 cells of the registry of tenured handles, all of one type. A tracker's index names its cell;
 * the segment names the type, so a tracker need not.
 *
 * <p>Equation: {@code live} = cells that are not null, at rest. Cells are filled by promoters, in
 * ranges that the registry hands out, and emptied by anybody, both by compare-and-set. The cell
 * decides; the count follows.
 */
final class Segment {
  private static final int SHIFT = Integer.numberOfTrailingZeros(Settings.SEGMENT_CELLS);
  private static final Object LOCK = new Object();
  private static volatile @Nullable Segment[] table = new Segment[16];

  /** What stands in a cell and knows in which: a tracker or a registration. */
  abstract static class Cell extends PhantomReference<Object> implements Forgotten {
    /** Plain: written before the compare-and-set that fills the cell, which publishes it. */
    private int index = -1;

    Cell(Object referent, @Nullable ReferenceQueue<Object> queue) {
      super(referent, queue);
    }

    final int index() {
      return index;
    }

    final void index(int cell) {
      index = cell;
    }

    /** Whether a sweep of the registry should release it: its one referent is gone. */
    final boolean isDead() {
      return refersTo(null);
    }

    /** Where its handle was opened, if that was recorded. */
    abstract @Nullable Site site();
  }

  final Registry registry;
  final int number;
  final AtomicInteger live = new AtomicInteger();

  /**
   * Runs that promoters are filling; an empty segment with one is not given back. Guarded by the
   * registry's monitor.
   */
  int ranges;

  volatile long since = System.nanoTime();
  volatile boolean discarded;

  private final AtomicReferenceArray<@Nullable Cell> cells =
      new AtomicReferenceArray<>(Settings.SEGMENT_CELLS);

  private Segment(Registry registry, int number) {
    this.registry = registry;
    this.number = number;
  }

  static Segment create(Registry registry) {
    synchronized (LOCK) {
      @Nullable Segment[] all = table;
      int free = 0;
      while (free < all.length && all[free] != null) {
        free++; // one step a segment of 1024 handles
      }
      if (free == all.length) {
        all = Arrays.copyOf(all, free * 2);
      }
      Segment created = new Segment(registry, free);
      all[free] = created;
      table = all; // volatile: publishes the element
      return created;
    }
  }

  /**
   * Gives the segment's number back. The caller holds the type's registry lock and saw it empty.
   */
  void discard() {
    discarded = true;
    synchronized (LOCK) {
      table[number] = null;
    }
  }

  static @Nullable Segment of(int index) {
    return index < 0 ? null : table[index >>> SHIFT];
  }

  static @Nullable Cell at(int index) {
    Segment segment = of(index);
    return segment == null ? null : segment.get(index);
  }

  /** Empties the cell; true for the one caller that owns the resource afterwards. */
  static boolean remove(Cell cell) {
    Segment segment = of(cell.index());
    return segment != null && segment.empty(cell.index() & (Settings.SEGMENT_CELLS - 1), cell);
  }

  @Nullable Cell get(int index) {
    return cells.get(index & (Settings.SEGMENT_CELLS - 1));
  }

  boolean isFree(int offset) {
    return cells.get(offset) == null;
  }

  int index(int offset) {
    return (number << SHIFT) | offset;
  }

  int live() {
    return live.get();
  }

  /**
   * Fills the cell if it is free. Runs may overlap where a segment is filled again. Counted after
   * the cell: the filler's range keeps the segment meanwhile.
   */
  boolean fill(int offset, Cell cell) {
    if (!isFree(offset)) {
      return false;
    }
    cell.index(index(offset));
    if (!cells.compareAndSet(offset, null, cell)) {
      return false;
    }
    live.getAndIncrement();
    return true;
  }

  private boolean empty(int offset, Cell cell) {
    if (!cells.compareAndSet(offset, cell, null)) {
      return false;
    }
    live.getAndDecrement();
    return true;
  }
}
