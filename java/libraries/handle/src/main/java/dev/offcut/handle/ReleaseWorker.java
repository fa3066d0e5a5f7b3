package dev.offcut.handle;

import dev.offcut.handle.Segment.Cell;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread's turn at a {@link ReleaseLoop}. It survives everything a releaser does: what is
 * thrown is counted and reported, an interrupt is cleared. When it hangs, a successor takes its
 * place and the rest of its batch; once its call comes back it ends.
 *
 * <p>Taking a large number of dead references out of a ReferenceQueue one by one is slow: the
 * collector's handler thread fights for the same lock. So after a full batch the worker may sweep
 * the type's registry for trackers whose handle is gone; the queue delivers them again later, and
 * they are passed over, since their cells are empty.
 */
final class ReleaseWorker implements Runnable {
  private final ReleaseLoop loop;
  private final @Nullable HandleType hungIn;
  private final Tally tally = new Tally();

  /** What is being released. Filled by this worker; each entry is visited by it or a successor. */
  private final AtomicReferenceArray<@Nullable Forgotten> batch =
      new AtomicReferenceArray<>(Settings.BATCH);

  private final AtomicInteger at = new AtomicInteger();
  private volatile int filled;
  private volatile int fills; // one writer
  private volatile boolean replaced;
  private volatile boolean asked;
  private volatile @Nullable Thread thread;
  private volatile @Nullable ReleaseWorker predecessor;

  /** Entries at the front of the batch that are to be tried again. */
  private int kept;

  private @Nullable Registry fullOf;

  // The reaper's.
  private long seenCalls = -1;
  private long seenSince;

  /**
   * A worker that goes on for {@code predecessor}, dead, or hung in a releaser of {@code hungIn}.
   */
  ReleaseWorker(
      ReleaseLoop loop, @Nullable ReleaseWorker predecessor, @Nullable HandleType hungIn) {
    this.loop = loop;
    this.predecessor = predecessor;
    this.hungIn = hungIn;
  }

  void start() {
    Thread created = loop.newThread(this);
    if (created == null) {
      throw new NullPointerException("the thread factory returned no thread");
    }
    thread = created;
    created.start();
  }

  boolean isAlive() {
    Thread t = thread;
    return t == null || t.getState() != Thread.State.TERMINATED;
  }

  @Nullable Thread thread() {
    return thread;
  }

  /** It is to end when it finds nothing to release. */
  void askToEnd() {
    asked = true;
  }

  /** Whether it was asked to end; it is not asked any more. */
  boolean takeAsked() {
    boolean was = asked;
    if (was) {
      asked = false; // an unconditional write could erase a request that comes now
    }
    return was;
  }

  int backlog() {
    return Math.max(0, filled - at.get());
  }

  /** The type whose releaser has not returned since the reaper's looks of long ago, or null. */
  @Nullable HandleType hungIn(long now) {
    HandleType calling = tally.calling();
    if (calling == null || tally.calls() != seenCalls) {
      seenCalls = tally.calls();
      seenSince = now;
      return null;
    }
    return now - seenSince > Settings.HANG_NANOS ? calling : null;
  }

  void replace() {
    replaced = true;
  }

  @Override
  public void run() {
    if (hungIn != null) {
      Listeners.reportHung(hungIn); // before the batch: its next value may hang as well
    }
    inherit();
    while (!replaced && turn()) {
      // each turn is one batch
    }
    if (replaced) {
      end();
    }
  }

  /** Releases what was taken between the reaper's look and its verdict, and goes. */
  private void end() {
    finish();
    while (kept > 0) {
      LockSupport.parkNanos(this, Settings.RETRY_NANOS);
      finish();
    }
    report();
    loop.cameBack();
    // It may have taken the mark that was to wake its successor, or have noted that it is behind.
    loop.wake();
  }

  /** One batch; false when the loop has ended. */
  private boolean turn() {
    try {
      if (!fill()) {
        return false;
      }
      finish();
      sweepAfterFullBatch();
      report();
    } catch (InterruptedException e) {
      // Somebody interrupted a daemon that waits for the collector: there is nothing to stop.
    } catch (Throwable t) {
      Listeners.reportFailure(null, t);
    }
    return true;
  }

  private void report() {
    try {
      tally.report();
    } catch (Throwable t) {
      Listeners.reportFailure(null, t);
    }
  }

  /** Goes on with the batches of those before. */
  private void inherit() {
    for (ReleaseWorker before = predecessor; before != null; before = before.predecessor) {
      for (int i = 0; i < Settings.BATCH && !replaced; i++) {
        inherit(before, i);
      }
    }
    if (!replaced) {
      predecessor = null; // else the next one goes on with these too
    }
  }

  private void inherit(ReleaseWorker before, int index) {
    Forgotten forgotten = before.batch.get(index);
    if (forgotten == null) {
      return;
    }
    while (!release(forgotten) && !keep(forgotten)) {
      LockSupport.parkNanos(this, Settings.RETRY_NANOS);
    }
    before.batch.compareAndSet(index, forgotten, null); // its owner may have filled it again
  }

  /** Puts what is to be tried again into the empty batch of a new worker; false when it is full. */
  private boolean keep(Forgotten forgotten) {
    if (kept == Settings.BATCH) {
      return false;
    }
    batch.set(kept++, forgotten);
    filled = kept;
    return true;
  }

  /** Changes while releasers are called, or references taken from the queue. */
  long progress() {
    return tally.calls() + fills;
  }

  /** Waits for work, behind what was kept; false when the loop has ended. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private boolean fill() throws InterruptedException {
    long requests = loop.requests();
    Reference<?> first = null;
    if (kept == 0) {
      first = awaitFirst();
    } else if (kept < Settings.BATCH) {
      first = asked ? loop.references().poll() : loop.references().remove(1);
    } else {
      LockSupport.parkNanos(this, Settings.RETRY_NANOS);
    }
    Reaper.reviveIfDead();
    if (first == null && kept == 0) {
      return !loop.isEnded(this);
    }
    int count = kept;
    boolean many = false;
    while (first != null) {
      many |= first instanceof Nursery; // with up to 65,536 values
      batch.set(count++, (Forgotten) first);
      first = count == Settings.BATCH ? null : loop.references().poll();
    }
    filled = count;
    fills++;
    loop.noteBehind(many || count == Settings.BATCH, requests);
    noteFull(count == Settings.BATCH);
    return true;
  }

  /** Returns the first of a batch; null after a second without one, or if it is asked to end. */
  private @Nullable Reference<?> awaitFirst() throws InterruptedException {
    long requests = loop.requests();
    Reference<?> first = loop.references().poll();
    if (first != null) {
      return first;
    }
    loop.noteBehind(false, requests); // a later request comes with something that wakes the wait
    return asked ? null : loop.references().remove(1_000);
  }

  private void noteFull(boolean full) {
    Segment segment =
        full && batch.get(Settings.BATCH - 1) instanceof Cell last
            ? Segment.of(last.index())
            : null;
    fullOf = segment == null ? null : segment.registry;
  }

  /**
   * Releases the batch, as far as no successor has; what is to be tried again moves to its front.
   */
  private void finish() {
    int count = filled;
    int later = 0;
    for (int i = 0; i < count; i++) {
      at.setOpaque(i); // a figure for snapshots, no order
      Forgotten forgotten = batch.get(i);
      boolean again = forgotten != null && !release(forgotten);
      batch.setRelease(i, null); // a tracker may hold a family, whose parent goes after it
      if (again) {
        batch.set(later++, forgotten);
      }
    }
    kept = later;
    filled = kept;
    at.setOpaque(0);
  }

  /** Releases all of one reference; false if it is to be tried again. */
  private boolean release(Forgotten forgotten) {
    try {
      Forgotten.Step step;
      do {
        Thread.interrupted(); // a releaser may have left one
        step = forgotten.releaseOne(tally);
      } while (step == Forgotten.Step.MORE);
      return step == Forgotten.Step.DONE;
    } catch (Throwable t) {
      Listeners.reportFailure(null, t);
      return false;
    }
  }

  /**
   * Sweeps when a sample says that many of the type are gone: a sweep costs as much as all live.
   */
  private void sweepAfterFullBatch() {
    Registry registry = fullOf;
    if (registry != null && registry.isMostlyDead()) {
      registry.sweep(this::releaseIfDead);
    }
  }

  /** A look of a sweep at a cell; false ends the sweep. */
  private boolean releaseIfDead(Cell cell) {
    if (cell.isDead()) {
      release(cell); // one that is to be tried again comes through the queue as well
    }
    return !replaced;
  }
}
