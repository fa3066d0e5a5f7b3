package dev.offcut.memory;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A pool whose free memory is given back to the system, by one thread for all pools: what is free
 * at two turns goes. A turn takes half the time that a pool gives, so free memory is kept for half
 * of it at least and all of it at most. The thread also looks at budgets, as often as they ask.
 *
 * <p>The thread needs no Java heap to go on: its pools are a list, and it parks. That of an
 * executor makes an object each time it waits, and where the heap is full it ends, for ever if
 * there is no memory for another one.
 */
final class Decay {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final Object LOCK = new Object();

  /** The list: written under the lock, and gone through by the thread without. */
  private static volatile @Nullable Decay first;

  private static @Nullable Thread thread;

  private volatile @Nullable Decay next;

  /** A pool or a budget. Weak, so that a pool nobody closed can be collected. */
  private final WeakReference<Object> watched;

  /** The time between two turns; of the thread, once the pool is in the list. */
  private long nanos;

  /** When the next turn is; of the thread, once the pool is in the list. */
  private long due;

  private Decay(Object watched, long nanos) {
    this.watched = new WeakReference<>(watched);
    this.nanos = nanos;
    due = System.nanoTime() + nanos;
  }

  /** Gives back what is free in a pool, turn after turn. */
  static Decay watch(MemoryPool pool, Duration decay) {
    long nanos = TimeUnit.NANOSECONDS.convert(decay) / 2; // of any duration: at most 146 years
    return start(new Decay(pool, Math.max(nanos, TimeUnit.MILLISECONDS.toNanos(1))));
  }

  /** Looks at a budget again and again. */
  static Decay watch(Budget budget) {
    return start(new Decay(budget, SECOND));
  }

  private static Decay start(Decay watch) {
    synchronized (LOCK) {
      if (thread == null) {
        Thread made = new Thread(null, Decay::run, "offcut memory decay", 0, false);
        made.setDaemon(true);
        made.setContextClassLoader(null);
        made.start();
        thread = made;
      }
      watch.next = first;
      first = watch;
      LockSupport.unpark(thread);
    }
    return watch;
  }

  /** The last turn of the pool is the one that is under way, if one is. */
  void end() {
    synchronized (LOCK) {
      if (first == this) {
        first = next;
      }
      for (Decay at = first; at != null; at = at.next) {
        if (at.next == this) {
          at.next = next;
        }
      }
      if (first == null) {
        LockSupport.unpark(thread);
      }
    }
  }

  /** Ends the thread's work after the last pool, so that a class loader with this class can go. */
  private static boolean isDone() {
    if (first != null) {
      return false;
    }
    try {
      Events.unregister();
    } catch (Throwable e) {
      return false; // for want of heap: the next time may do it
    }
    synchronized (LOCK) {
      if (first == null) {
        thread = null;
        return true;
      }
      return false; // a pool came meanwhile
    }
  }

  /** The turn of this pool or budget. */
  private void turn() {
    Object at = watched.get();
    if (at instanceof MemoryPool pool) {
      pool.decay();
    } else if (at instanceof Budget budget) {
      nanos = budget.turn();
    } else {
      end();
    }
    due = System.nanoTime() + nanos;
  }

  private static void run() {
    while (!isDone()) {
      boolean heard = awaitRecorder();
      long wait = heard ? Long.MAX_VALUE : SECOND;
      Decay head = first;
      for (Decay at = head; at != null; at = at.next) {
        if (at.due - System.nanoTime() <= 0) {
          turnSafely(at);
        }
        wait = Math.min(wait, at.due - System.nanoTime());
      }
      if (first
          == head) { // else a lock inside a turn may have consumed the permit of a start or end
        LockSupport.parkNanos(wait);
      }
      Thread.interrupted(); // or it would not park again
    }
  }

  /** A recording can begin at any time, and would not hear of the periodic events otherwise. */
  private static boolean awaitRecorder() {
    try {
      return Events.registerOnce();
    } catch (Throwable e) {
      return false; // for want of heap: the next time may do it
    }
  }

  /** A turn that throws is not the last one. */
  private static void turnSafely(Decay at) {
    try {
      at.turn();
    } catch (OutOfMemoryError e) {
      at.due = System.nanoTime() + at.nanos; // the program's trouble, and it may pass
    } catch (Throwable e) {
      at.due = System.nanoTime() + at.nanos;
      Uncaught.report(e);
    }
  }
}
