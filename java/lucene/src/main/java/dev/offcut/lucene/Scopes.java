package dev.offcut.lucene;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The scope through which all files of a directory are read, until one of them ends.
 *
 * <pre>
 *   file ──end──▶ waiting ──a turn: the scope is closed, the next one begins──▶ its memory is released
 *
 *   an input of another file ──its segment has ended──▶ a segment of the next scope ──▶ it reads on
 * </pre>
 *
 * <p>To close a scope of many threads, the JVM stops each of them for a moment. So many files have
 * one scope, and many ended files wait for one close of it: at most {@link #MOST_WAITING}, for at
 * most {@link #MOST_MILLIS}. The memory of a file does not belong to the scope. So a file that is
 * still open keeps no other file's memory, and loses nothing but its segments, which are made anew
 * over the same memory.
 *
 * <p><b>Locks.</b> A thread may take this monitor while it holds that of a file that has not ended.
 * A thread that holds this monitor takes only monitors of files that have ended; nobody who holds
 * one of those waits for this.
 */
final class Scopes {
  /** More share the cost of a close; fewer stay mapped. */
  static final int MOST_WAITING = 64;

  /** Longer would share the cost among more files, and keep memory of a directory at rest. */
  static final long MOST_MILLIS = 1_000;

  private final Supplier<Arena> opened;
  private final List<FileBytes> waiting = new ArrayList<>();
  private Arena current;
  private long turns;

  /** Takes a turn while files wait; there is none if no file waits. */
  private @Nullable Thread ender;

  /** {@code opened}: makes a scope, which must keep alive whatever the memory depends on. */
  Scopes(Supplier<Arena> opened) {
    this.opened = opened;
    current = opened.get();
  }

  /** The scope of new segments. */
  synchronized Arena current() {
    return current;
  }

  /** How many scopes have ended: each time the JVM stopped its threads. */
  synchronized long turns() {
    return turns;
  }

  /** How many ended files have memory. */
  synchronized int waiting() {
    return waiting.size();
  }

  /**
   * Releases the memory of an ended file, now or at the next turn.
   *
   * @param lastScope the last scope in which the file had segments, if any
   */
  synchronized void end(FileBytes file, @Nullable Arena lastScope) {
    if (lastScope != current && file.tryRelease()) {
      return; // its segments ended with an earlier scope
    }
    waiting.add(file);
    if (waiting.size() >= MOST_WAITING) {
      turn();
    }
    if (ender == null && !waiting.isEmpty()) {
      ender = start();
    }
  }

  /** Ends the scope, and with it all segments; then releases the memory of files that ended. */
  synchronized void turn() {
    if (waiting.isEmpty()) {
      return;
    }
    Arena next = opened.get(); // first what may fail
    current.close();
    current = next;
    turns++;
    waiting.removeIf(FileBytes::tryRelease);
    if (waiting.isEmpty()) {
      notifyAll(); // the thread has nothing to wait for
    }
  }

  private Thread start() {
    Thread made = new Thread(null, this::endWaiting, "offcut lucene", 0, false);
    made.setDaemon(true);
    made.setContextClassLoader(null);
    made.start();
    return made;
  }

  private synchronized void endWaiting() {
    try {
      while (!waiting.isEmpty()) {
        wait(MOST_MILLIS);
        turn();
      }
    } catch (InterruptedException e) {
      turn(); // whoever interrupts it wants it to end
    } finally {
      ender = null;
    }
  }
}
