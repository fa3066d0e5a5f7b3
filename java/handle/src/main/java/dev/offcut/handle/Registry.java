package dev.offcut.handle;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tenured handles of one type: segments, filled one after the other. A segment that has become
 * half empty is filled again before a new one is made; an empty one is given back.
 */
final class Registry {
  private final HandleType type;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayList<Segment> segments = new ArrayList<>();
  private final ConcurrentLinkedQueue<Segment> refill = new ConcurrentLinkedQueue<>();
  private @Nullable Segment filling;
  private int next;

  Registry(HandleType type) {
    this.type = type;
  }

  /**
   * Some cells of one segment that a promoter may fill without the lock, the free ones among them.
   */
  static final class Run {
    private @Nullable Segment segment;
    private int at;
    private int end;
  }

  /**
   * Puts the cell in, at the run's next free place, and returns its index. An OutOfMemoryError
   * leaves all as it was.
   */
  int insert(Cell cell, Run run) {
    while (true) {
      Segment segment = run.segment;
      if (segment == null || run.at == run.end) {
        reserve(run);
        continue;
      }
      int at = run.at++;
      if (segment.fill(at, cell)) {
        return segment.index(at);
      }
    }
  }

  /** Puts one cell in. */
  void insert(Cell cell) {
    Run run = new Run();
    try {
      insert(cell, run);
    } finally {
      giveBack(run);
    }
  }

  private void reserve(Run run) {
    giveBack(run);
    lock.lock();
    try {
      Segment segment = filling;
      if (segment == null || next == Settings.SEGMENT_CELLS) {
        segment = nextSegmentLocked();
        filling = segment;
        next = 0;
      }
      segment.runs.getAndIncrement();
      run.segment = segment;
      run.at = next;
      next = Math.min(next + Settings.RUN_CELLS, Settings.SEGMENT_CELLS);
      run.end = next;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a run: what is left of it can be reserved again if it was the last one. */
  void giveBack(Run run) {
    lock.lock();
    try {
      Segment segment = run.segment;
      if (segment != null) {
        if (segment == filling && run.end == next) {
          next = run.at;
        }
        segment.runs.getAndDecrement();
        run.segment = null;
      }
    } finally {
      lock.unlock();
    }
  }

  private Segment nextSegmentLocked() {
    Segment full = filling;
    filling = null;
    if (full != null && isWorthRefilling(full)) {
      return full;
    }
    Segment again;
    while ((again = refill.poll()) != null) {
      if (!again.discarded && isWorthRefilling(again)) {
        return again;
      }
    }
    segments.ensureCapacity(segments.size() + 1);
    Segment created = Segment.create(type);
    segments.add(created);
    return created;
  }

  private static boolean isWorthRefilling(Segment segment) {
    int live = segment.live.get();
    if (live == 0) {
      segment.since = System.nanoTime();
    }
    return live <= Settings.SEGMENT_CELLS / 2;
  }

  /**
   * Notes a segment that is worth filling again. Losing the note for want of memory costs space
   * only.
   */
  void halfEmpty(Segment segment) {
    try {
      refill.add(segment);
    } catch (OutOfMemoryError e) {
      type.noteLost();
    }
  }

  /** Gives empty segments back; the reaper calls it now and then. */
  void trim() {
    lock.lock();
    try {
      for (Iterator<Segment> i = segments.iterator(); i.hasNext(); ) {
        if (discardIfEmptyLocked(i.next())) {
          i.remove();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean discardIfEmptyLocked(Segment segment) {
    if (segment.live.get() != 0 || segment.runs.get() != 0) {
      return false;
    }
    if (segment == filling) {
      filling = null;
      next = 0;
    }
    segment.discard();
    return true;
  }

  /** When the oldest segment that has an open handle was begun; Long.MAX_VALUE for none. */
  long oldestSince() {
    lock.lock();
    try {
      long oldest = Long.MAX_VALUE;
      for (Segment segment : segments) {
        if (segment.live.get() > 0) {
          oldest = Math.min(oldest, segment.since);
        }
      }
      return oldest;
    } finally {
      lock.unlock();
    }
  }

  /** Handles that share a group with another: an upper bound on the forgotten that wait. */
  long pinned() {
    long sum = 0;
    lock.lock();
    try {
      for (Segment segment : segments) {
        for (int i = 0; i < Settings.SEGMENT_CELLS; i++) {
          if (segment.get(i) instanceof Group group && group.open() > 1) {
            sum += group.open();
          }
        }
      }
    } finally {
      lock.unlock();
    }
    return sum;
  }

  /** Open tenured handles. */
  long open() {
    long sum = 0;
    lock.lock();
    try {
      for (Segment segment : segments) {
        sum += segment.open();
      }
    } finally {
      lock.unlock();
    }
    return sum;
  }

  /** Whether, by a sample, an eighth of the trackers have lost their handle. */
  boolean isMostlyDead() {
    int dead = 0;
    lock.lock();
    try {
      if (segments.isEmpty()) {
        return false;
      }
      ThreadLocalRandom random = ThreadLocalRandom.current();
      for (int i = 0; i < Settings.SWEEP_SAMPLE; i++) {
        Segment segment = segments.get(random.nextInt(segments.size()));
        dead += segment.isDead(random.nextInt(Settings.SEGMENT_CELLS)) ? 1 : 0;
      }
    } finally {
      lock.unlock();
    }
    return dead >= Settings.SWEEP_SAMPLE / 8;
  }

  /** Shows {@code visitor} every cell, until it says false. It may empty cells meanwhile. */
  void sweep(Predicate<Cell> visitor) {
    List<Segment> all;
    lock.lock();
    try {
      all = List.copyOf(segments);
    } finally {
      lock.unlock();
    }
    for (Segment segment : all) {
      for (int i = 0; i < Settings.SEGMENT_CELLS; i++) {
        Cell cell = segment.get(i);
        if (cell != null && !visitor.test(cell)) {
          return;
        }
      }
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      for (Segment segment : segments) {
        if (segment.live.get() > 0) {
          return false;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  void verify() {
    lock.lock();
    try {
      segments.forEach(Segment::verify);
    } finally {
      lock.unlock();
    }
  }

  /** Resolves what this class catches: the first time needs memory, see {@link Warmup}. */
  @SuppressWarnings("EmptyCatch")
  static void warm() {
    try {
      Warmup.raise(new OutOfMemoryError());
    } catch (OutOfMemoryError e) {
      // seen once
    }
  }
}
