package dev.offcut.agent.track;

import dev.offcut.agent.track.jdk.StockConfinedList;
import dev.offcut.agent.track.jdk.StockList;
import dev.offcut.agent.track.jdk.StockSession;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/** Sessions that the collector found before the program had closed them. */
final class Lost implements Runnable {
  static final ReferenceQueue<StockSession> QUEUE = new ReferenceQueue<>();

  private final boolean looks;

  private Lost(boolean looks) {
    this.looks = looks;
  }

  /** From here on the counts ask. */
  static void start() {
    Sites.look = new Lost(true);
    Counts.drain = new Lost(false);
  }

  @Override
  public void run() {
    if (looks) {
      look();
    } else {
      drain();
    }
  }

  /** Counts all that were found. */
  private static synchronized void drain() {
    Reference<? extends StockSession> found = QUEUE.poll();
    while (found != null) {
      StockList list = ((Entry) found).list;
      if (list != null) {
        count(list);
      }
      found = QUEUE.poll();
    }
  }

  private static void count(StockList list) {
    Arenas.Contents contents = new Arenas.Contents(list);
    boolean confined = (Object) list instanceof StockConfinedList;
    Counts.lost(confined ? Kind.CONFINED : Kind.SHARED, contents.bytes);
    Witness witness = contents.witness;
    if (witness != null) {
      witness.closed();
      Sites.ended(witness.token(), Counts.LOST, contents.bytes);
    }
  }

  /**
   * Sums up what open sessions hold. Threads add to the lists meanwhile: what is not seen yet is
   * seen next time.
   */
  private static synchronized void look() {
    Sites.forgetHeld();
    for (Entry[] table : Net.sampled().tables()) {
      for (Entry entry : table) {
        StockList list = entry == null ? null : entry.list;
        if (list != null) {
          Arenas.Contents contents = new Arenas.Contents(list);
          Witness witness = contents.witness;
          if (witness != null && witness.token() != 0) {
            Sites.held(witness.token(), contents.bytes);
          }
        }
      }
    }
  }
}
