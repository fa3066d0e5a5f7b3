package dev.offcut.handle;

import dev.offcut.handle.Segment.Cell;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread's turn at a {@link ReleaseLoop}: it takes what was forgotten out of the queue, one
 * after the other. It survives everything a releaser does: what is thrown is counted and reported,
 * an interrupt is cleared. When it hangs, a successor takes its place and goes on with what it was
 * releasing, such as a record of many values; once its call comes back it ends.
 *
 * <p>Taking a large number of dead references out of a ReferenceQueue is slow: the collector's
 * handler thread fights for the same lock. So after many in a row the worker may sweep the type's
 * registry for trackers whose handle is gone; the queue delivers them again later, and they are
 * passed over, since their cells are empty.
 */
final class ReleaseWorker implements Runnable {
  private final ReleaseLoop loop;
  private final @Nullable HandleType hungIn;
  private final Tally tally = new Tally();

  /**
   * What is being released, at first what the worker before was releasing. One writer; release and
   * acquire, since a successor goes on with it: what both find, each {@code releaseOne} takes once.
   */
  private final AtomicReference<@Nullable Forgotten> current = new AtomicReference<>();

  private volatile boolean replaced;
  private volatile boolean asked;
  private volatile @Nullable Thread thread;

  /** References taken since the queue was empty. */
  private int inARow;

  // The reaper's.
  private long seenCalls = -1;
  private long seenSince;

  /**
   * A worker that goes on for {@code predecessor}, dead, or hung in a releaser of {@code hungIn}.
   */
  ReleaseWorker(
      ReleaseLoop loop, @Nullable ReleaseWorker predecessor, @Nullable HandleType hungIn) {
    this.loop = loop;
    this.hungIn = hungIn;
    current.set(predecessor == null ? null : predecessor.current.getAcquire());
  }

  void start() {
    Thread created =
        Objects.requireNonNull(loop.newThread(this), "the thread factory returned no thread");
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

  /** Changes while releasers are called. */
  long progress() {
    return tally.calls();
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
      Listeners.reportHung(hungIn); // before the next value, which may hang as well
    }
    Forgotten inherited = current.getPlain();
    if (inherited != null) {
      releaseOrKeep(inherited);
    }
    while (!replaced && turn()) {
      // each turn is one reference
    }
    if (replaced) {
      report();
      loop.cameBack();
      loop.wake(); // it may have taken the mark that was to wake its successor
    }
  }

  /** Releases one reference; false when the loop has ended. */
  private boolean turn() {
    try {
      Reference<?> next = next();
      if (next == null) {
        return loop.hasLater() || !loop.isEnded(this);
      }
      releaseOrKeep((Forgotten) next);
      inARow++;
      if (inARow % Settings.MANY_IN_A_ROW == 0) {
        report();
        sweepIfMostlyDead(next);
      }
    } catch (InterruptedException e) {
      // Somebody interrupted a daemon that waits for the collector: there is nothing to stop.
    } catch (Throwable t) {
      Listeners.reportFailure(null, t);
    }
    return true;
  }

  /** The next reference; null after a second without one, or if it is asked to end. */
  private @Nullable Reference<?> next() throws InterruptedException {
    long requests = loop.requests();
    Reference<?> next = loop.references().poll();
    if (next != null) {
      return next;
    }
    inARow = 0;
    for (int i = loop.countLater(); i > 0; i--) {
      Forgotten again = loop.takeLater();
      if (again != null) {
        releaseOrKeep(again);
      }
    }
    report();
    loop.answer(requests); // a later request comes with something that wakes the wait
    if (loop.hasLater()) {
      return loop.references().remove(1);
    }
    return asked ? null : loop.references().remove(1_000);
  }

  private void report() {
    try {
      tally.report();
    } catch (Throwable t) {
      Listeners.reportFailure(null, t);
    }
  }

  /** Releases all of one reference, or leaves it to be tried again. */
  private void releaseOrKeep(Forgotten forgotten) {
    current.setRelease(forgotten);
    while (!release(forgotten) && !loop.keep(forgotten)) {
      LockSupport.parkNanos(this, Settings.RETRY_NANOS);
    }
    current.setRelease(null); // a tracker may hold a family, whose parent goes after it
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
  private void sweepIfMostlyDead(Reference<?> last) {
    Segment segment = last instanceof Cell cell ? Segment.of(cell.index()) : null;
    if (segment != null && segment.registry.isMostlyDead()) {
      segment.registry.sweep(this::releaseIfDead);
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
