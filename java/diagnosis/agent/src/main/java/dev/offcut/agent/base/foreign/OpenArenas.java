package dev.offcut.agent.base.foreign;

import dev.offcut.agent.base.concurrent.Counts;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * The entries of open arenas: a phantom reference is enqueued only while something refers to it.
 * There are several lists, each of which is its own lock, so that threads seldom meet.
 */
final class OpenArenas implements Runnable {
  private static final int LISTS = 64;
  private static final OpenArenas[] ALL = new OpenArenas[LISTS];

  /** Those that the collector found before the program had closed them. */
  static final ReferenceQueue<Stock.List> LOST = new ReferenceQueue<>();

  static {
    for (int i = 0; i < LISTS; i++) {
      ALL[i] = new OpenArenas();
    }
  }

  private @Nullable ArenaAccount first;

  private OpenArenas() {}

  /** From here on the counts ask for those that are lost. */
  static void start() {
    Counts.drain = ALL[0];
  }

  /** Counts all that were found. */
  @Override
  public void run() {
    synchronized (LOST) {
      Reference<? extends Stock.List> found = LOST.poll();
      while (found != null) {
        ((ArenaAccount) found).found();
        found = LOST.poll();
      }
    }
  }

  /** The list that this thread adds to. */
  static OpenArenas ofThread() {
    return ALL[Counts.probe() & (LISTS - 1)];
  }

  synchronized void add(ArenaAccount entry) {
    ArenaAccount behind = first;
    entry.behind = behind;
    if (behind != null) {
      behind.before = entry;
    }
    first = entry;
  }

  synchronized void remove(ArenaAccount entry) {
    ArenaAccount before = entry.before;
    ArenaAccount behind = entry.behind;
    if (before == null) {
      first = behind;
    } else {
      before.behind = behind;
    }
    if (behind != null) {
      behind.before = before;
    }
    entry.before = null; // the program may keep it for long, and with it its neighbours of then
    entry.behind = null;
  }
}
