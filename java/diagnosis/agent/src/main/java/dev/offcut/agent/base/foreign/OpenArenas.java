package dev.offcut.agent.base.foreign;

import dev.offcut.agent.base.concurrent.Atomics;
import dev.offcut.agent.base.concurrent.Counts;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * The entries of all open arenas: a phantom reference is enqueued only while something refers to
 * it.
 *
 * <p>Tables of places, each twice as large as the one before. A thread looks for a free place from
 * where it found the last one: who opens and closes in turns takes the same place again and again.
 * A place is taken by an atomic write and given back by a plain one, since who closes is alone with
 * it. There is no list whose ends all threads would share, and no lock.
 */
final class OpenArenas implements Runnable {
  private static final int SMALLEST_BITS = 8;
  private static final int WINDOW = 16;

  /** How often another window is tried before there is another table. */
  private static final int TRIES = 6;

  /** Between two threads' hints. */
  private static final int GAP = 16;

  private static final int HINTS = 64;

  /** The smallest first: the one at an index has 2^(SMALLEST_BITS + index) places. */
  private static volatile ArenaAccount[][] tables = {new ArenaAccount[1 << SMALLEST_BITS]};

  /** Where threads found their last place. A race costs a longer search. */
  private static final int[] hints = new int[HINTS * GAP];

  /** Those that the collector found before the program had closed them. */
  static final ReferenceQueue<Stock.List> LOST = new ReferenceQueue<>();

  private OpenArenas() {}

  /** From here on the counts ask for those that are lost. */
  static void start() {
    Counts.drain = new OpenArenas();
  }

  /** Counts all that were found. */
  @Override
  public synchronized void run() {
    Reference<? extends Stock.List> found = LOST.poll();
    while (found != null) {
      ((ArenaAccount) found).found();
      found = LOST.poll();
    }
  }

  /** Adds an entry; its place. */
  static int add(ArenaAccount entry) {
    int thread = Counts.probe() & (HINTS - 1);
    while (true) {
      ArenaAccount[][] all = tables;
      int newest = all.length - 1;
      ArenaAccount[] table = all[newest];
      int from = hints[thread * GAP];
      for (int attempt = 0; attempt < TRIES; attempt++) {
        for (int i = 0; i < WINDOW; i++) {
          int at = (from + i) & (table.length - 1);
          if (table[at] == null && Atomics.put(table, at, entry)) {
            hints[thread * GAP] = at;
            return table.length + at;
          }
        }
        from = from * 1_664_525 + 1_013_904_223; // Numerical Recipes, 7.1
        from ^= from >>> 15;
      }
      grow(all);
    }
  }

  private static synchronized void grow(ArenaAccount[][] full) {
    if (tables == full) {
      ArenaAccount[][] more = new ArenaAccount[full.length + 1][];
      System.arraycopy(full, 0, more, 0, full.length);
      more[full.length] = new ArenaAccount[2 * full[full.length - 1].length];
      tables = more;
    }
  }

  /** Gives a place back: its table is the highest bit of its number. */
  static void remove(int place) {
    int bits = 31 - Integer.numberOfLeadingZeros(place);
    ArenaAccount[] table = tables[bits - SMALLEST_BITS];
    // Plain: nobody else writes to a place that is taken, and who takes it next sees null in time.
    table[place - (1 << bits)] = nothing();
  }

  @SuppressWarnings("NullAway") // an array of what may be null
  private static ArenaAccount nothing() {
    return (ArenaAccount) (@Nullable Object) null;
  }
}
