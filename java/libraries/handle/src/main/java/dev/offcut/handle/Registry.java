package dev.offcut.handle;

import dev.offcut.handle.Segment.Cell;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tenured handles of one type: segments, filled one after the other. A segment that has become
 * half empty is filled again before a new one is made; an empty one is given back.
 *
 * <p>The lock is this object's monitor. What can throw comes before the first change.
 */
final class Registry {
  final HandleType type;
  private @Nullable Segment[] segments = new Segment[4];
  private int count;

  private @Nullable Segment filling;
  private int next;

  /** Of a cleaner's type: what threads whose ids end alike fill, each guarded by its monitor. */
  private final CellRange[] byThread;

  Registry(HandleType type) {
    this.type = type;
    byThread = new CellRange[type.isCleaner() ? Nurseries.STRIPES : 0];
    Arrays.setAll(byThread, i -> new CellRange());
  }

  /**
   * Some cells of one segment that a promoter may fill without the lock, the free ones among them.
   */
  static final class CellRange {
    @Nullable Segment segment;
    private int at;
    private int end;

    /** Cells that {@link #insertByThread} filled. */
    private long filled;
  }

  /** Puts the cell in, at the range's next free place. An OutOfMemoryError leaves all as it was. */
  void insert(Cell cell, CellRange range) {
    while (true) {
      Segment segment = range.segment;
      if (segment == null || range.at == range.end) {
        reserve(range);
      } else if (segment.fill(range.at++, cell)) {
        return;
      }
    }
  }

  /** Puts a cell in that is tenured from the start, and has the net's threads running. */
  @SuppressWarnings("deprecation") // threadId() came with 19; as a hash either will do
  void insertByThread(Cell cell) {
    CellRange range = byThread[(int) Thread.currentThread().getId() & (byThread.length - 1)];
    synchronized (range) {
      insert(cell, range);
      range.filled++;
    }
    if (!Reaper.isRunning()) { // read after the cell was filled: see Reaper.stop
      type.loop.ensureWatched();
    }
  }

  /** How many cells {@link #insertByThread} has filled. */
  long filledByThread() {
    long sum = 0;
    for (CellRange range : byThread) {
      synchronized (range) {
        sum += range.filled;
      }
    }
    return sum;
  }

  void insert(Cell cell) {
    CellRange range = new CellRange();
    try {
      insert(cell, range);
    } finally {
      giveBack(range);
    }
  }

  private synchronized void reserve(CellRange range) {
    giveBack(range);
    Segment segment = filling;
    if (segment == null || next == Settings.SEGMENT_CELLS) {
      segment = nextSegmentLocked();
      filling = segment;
      next = 0;
    }
    segment.ranges++;
    range.segment = segment;
    range.at = next;
    int end = next + Settings.RANGE_CELLS;
    next = end < Settings.SEGMENT_CELLS ? end : Settings.SEGMENT_CELLS;
    range.end = next;
  }

  /** Ends a range: what is left of it can be reserved again if it was the last one. */
  synchronized void giveBack(CellRange range) {
    Segment segment = range.segment;
    if (segment != null) {
      if (segment == filling && range.end == next) {
        next = range.at;
      }
      segment.ranges--;
      range.segment = null;
    }
  }

  /** The first segment that is at most half full, or a new one. */
  private Segment nextSegmentLocked() {
    for (int i = 0; i < count; i++) { // one step a segment of 1024 handles
      Segment segment = Objects.requireNonNull(segments[i]);
      int live = segment.live();
      if (live <= Settings.SEGMENT_CELLS / 2) {
        segment.since = live == 0 ? System.nanoTime() : segment.since;
        return segment;
      }
    }
    if (count == segments.length) {
      segments = Arrays.copyOf(segments, count * 2);
    }
    Segment created = Segment.create(this);
    segments[count++] = created;
    type.nurseries.addPlaces(byThread.length == 0 ? 0 : Settings.SEGMENT_CELLS);
    return created;
  }

  /** Gives empty segments back; the reaper calls it now and then. */
  synchronized void trim() {
    for (int i = count - 1; i >= 0; i--) {
      Segment segment = segments[i];
      if (segment != null && segment.live() == 0 && segment.ranges == 0) {
        segment.discard();
        if (segment == filling) {
          filling = null;
          next = 0;
        }
        segments[i] = segments[--count];
        segments[count] = null;
      }
    }
  }

  synchronized @Nullable Segment[] all() {
    return Arrays.copyOf(segments, count);
  }

  /** When the oldest segment that has an open handle was begun; Long.MAX_VALUE for none. */
  long oldestSince() {
    long oldest = Long.MAX_VALUE;
    for (Segment segment : all()) {
      if (segment != null && segment.live() > 0) {
        oldest = Math.min(oldest, segment.since);
      }
    }
    return oldest;
  }

  long open() {
    long sum = 0;
    for (Segment segment : all()) {
      sum += segment == null ? 0 : segment.live();
    }
    return sum;
  }

  /** Whether, by a sample, an eighth of the trackers have lost their handle. */
  boolean isMostlyDead() {
    @Nullable Segment[] all = all();
    if (all.length == 0) {
      return false;
    }
    int dead = 0;
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < Settings.SWEEP_SAMPLE; i++) {
      Segment segment = all[random.nextInt(all.length)];
      int at = random.nextInt(Settings.SEGMENT_CELLS);
      Cell cell = segment == null ? null : segment.get(at);
      dead += cell != null && cell.isDead() ? 1 : 0;
    }
    return dead >= Settings.SWEEP_SAMPLE / 8;
  }

  /** Shows {@code visitor} every cell, until it says false. It may empty cells meanwhile. */
  void sweep(Predicate<Cell> visitor) {
    for (Segment segment : all()) {
      for (int i = 0; segment != null && i < Settings.SEGMENT_CELLS; i++) {
        Cell cell = segment.get(i);
        if (cell != null && !visitor.test(cell)) {
          return;
        }
      }
    }
  }

  boolean isEmpty() {
    return open() == 0;
  }
}
