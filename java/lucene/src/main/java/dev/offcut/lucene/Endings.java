package dev.offcut.lucene;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends files that nobody may read any more: closes the arena of each, and gives its memory back.
 *
 * <pre>
 *   the last input is closed ──▶ waiting ──after half a second to a second, on one thread──▶ ended
 * ├─ a mapped file is opened again: it is taken back
 *                                   ├─ more wait than {@link #MOST_WAITING}: the closing thread ends the oldest
 *                                   └─ a directory is closed, or a limit is reached: that thread ends them
 * </pre>
 *
 * <p>To close an arena of many threads, the JVM makes each thread pass a handshake. If a thread
 * reads through the same arena at that moment, the JVM lets the read fail, and interrupts the
 * thread. So each file has an arena of its own, which no read of another file can meet. And a file
 * waits before it ends, so that a read which began before the last close is over by then.
 *
 * <p>The thread starts with the first file that waits, and ends with the last. While nothing waits,
 * nothing runs, and nothing keeps a class loader.
 *
 * <p><b>Locks.</b> An arena is closed under the lock of its {@link Ending}, which no reader takes.
 * The monitor of this object is held for a few steps, never while an arena is closed.
 */
final class Endings {
  /**
   * More would hold more memory for a second. With fewer, the threads that close inputs would more
   * often close an arena themselves.
   */
  static final int MOST_WAITING = 256;

  /** Far longer than any read of a part takes. */
  private static final long LEAST_NANOS = 500_000_000;

  /** Longer would wake the thread less often, and hold memory longer. */
  private static final long MOST_NANOS = 1_000_000_000;

  /** Those of all directories: one thread for all. */
  static final Endings OF_ALL = new Endings();

  // All of this is guarded by the monitor.
  private final LinkedHashSet<Ending> waiting = new LinkedHashSet<>();

  /** What the thread ends now, and what threads that close inputs end now. */
  private final Set<Ending> batch = new LinkedHashSet<>();

  private @Nullable Thread thread;

  private Endings() {}

  /** How a file ends. */
  interface Step {
    /** Closes the arena and gives the memory back; false if a native call uses the memory. */
    boolean tryEnd();
  }

  /** The end of one file, which happens once, or is taken back. */
  static final class Ending {
    private final Object directory;
    private @Nullable Step step;

    /** When it began to wait. Guarded by the monitor of {@link Endings}. */
    private long since;

    Ending(Object directory, Step step) {
      this.directory = directory;
      this.step = step;
    }

    /** Waits if another thread is ending it. False if it cannot end yet. */
    synchronized boolean tryEnd() {
      Step last = step;
      step = null; // one that throws is not tried again
      if (last != null && !last.tryEnd()) {
        step = last;
      }
      return step == null;
    }

    private synchronized boolean takeBack() {
      boolean waits = step != null;
      step = null;
      return waits;
    }
  }

  /** Ends a file of a directory soon. */
  void add(Object directory, Step step) {
    add(new Ending(directory, step));
  }

  /** The same, if the caller may want to take it back. */
  void add(Ending ending) {
    Ending surplus = put(ending);
    if (surplus == null) {
      return;
    }
    boolean isEnded = true; // one that throws is not tried again
    try {
      isEnded = surplus.tryEnd();
    } finally {
      if (isEnded) {
        remove(surplus);
      } else {
        waitAgain(surplus);
      }
    }
  }

  /**
   * Adds it. Returns the oldest file if too many wait: the caller ends that file. Until then it is
   * in {@link #batch}, where {@link #endAllOf} finds it.
   */
  private synchronized @Nullable Ending put(Ending ending) {
    putBack(ending);
    if (thread == null) {
      start();
    }
    if (waiting.size() <= MOST_WAITING) {
      return null;
    }
    Ending surplus = waiting.removeFirst();
    batch.add(surplus);
    return surplus;
  }

  private synchronized void waitAgain(Ending ending) {
    forget(ending);
    putBack(ending);
    if (thread == null) {
      start(); // the last one ended meanwhile
    }
  }

  private synchronized void putBack(Ending ending) {
    ending.since = System.nanoTime();
    waiting.add(ending);
  }

  /**
   * Takes a file back: false if it has ended. It may not have been added yet. Waits if another
   * thread is ending it.
   */
  boolean takeBack(Ending ending) {
    boolean isBack = ending.takeBack();
    if (isBack) {
      forget(ending);
    }
    return isBack;
  }

  /** The thread is not woken: most likely, another file waits when it wakes by itself. */
  private synchronized void forget(Ending ending) {
    batch.remove(ending);
    waiting.remove(ending);
  }

  /** Ends all that waits, now and on this thread. */
  void endAll() {
    waitingOf(null).forEach(this::end);
  }

  /**
   * Ends what waits of a directory, now and on this thread.
   *
   * @return how many files wait on, because native calls use them
   */
  int endAllOf(Object directory) {
    waitingOf(directory).forEach(this::end);
    return waitingOf(directory).size();
  }

  private synchronized List<Ending> waitingOf(@Nullable Object directory) {
    List<Ending> found = new ArrayList<>(batch);
    found.addAll(waiting);
    found.removeIf(ending -> directory != null && ending.directory != directory);
    return found;
  }

  private void end(Ending ending) {
    if (ending.tryEnd()) {
      remove(ending);
    }
  }

  private synchronized void remove(Ending ended) {
    forget(ended);
    if (waiting.isEmpty()) {
      notifyAll(); // the thread has nothing to wait for
    }
  }

  /** Throws if the system gives no thread; then what waits does so until the next file ends. */
  private void start() {
    Thread made = new Thread(null, this::run, "offcut lucene", 0, false);
    made.setDaemon(true);
    made.setContextClassLoader(null);
    made.start();
    thread = made;
  }

  private void run() {
    try {
      for (List<Ending> taken = take(); !taken.isEmpty(); taken = take()) {
        taken.forEach(this::end);
      }
    } catch (InterruptedException e) {
      endAll(); // whoever interrupts it wants it to end
    } finally {
      leave();
    }
  }

  /** Waits for the next batch. Empty if nothing waits: then there is no thread any more. */
  private synchronized List<Ending> take() throws InterruptedException {
    putBackBatch();
    while (!waiting.isEmpty()) {
      long now = System.nanoTime();
      long left = waiting.getFirst().since + MOST_NANOS - now;
      if (left <= 0) {
        while (!waiting.isEmpty() && now - waiting.getFirst().since >= LEAST_NANOS) {
          batch.add(waiting.removeFirst());
        }
        return List.copyOf(batch);
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    thread = null; // in one step with the look, so that the next file starts another
    return List.of();
  }

  /** What could not end waits again. */
  private synchronized void putBackBatch() {
    batch.forEach(this::putBack);
    batch.clear();
  }

  private synchronized void leave() {
    putBackBatch();
    if (thread == Thread.currentThread()) { // it was interrupted, or something was thrown
      thread = null;
      if (!waiting.isEmpty()) {
        start();
      }
    }
  }
}
