package dev.offcut.agent.track;

import dev.offcut.agent.track.jdk.StockList;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/** Arenas that the collector found before the program had closed them. */
final class Lost implements Runnable {
  static final ReferenceQueue<StockList> QUEUE = new ReferenceQueue<>();

  private Lost() {}

  /** From here on the counts ask. */
  static void start() {
    Counts.drain = new Lost();
  }

  /** Counts all that were found. */
  @Override
  public synchronized void run() {
    Reference<? extends StockList> found = QUEUE.poll();
    while (found != null) {
      ((Entry) found).found();
      found = QUEUE.poll();
    }
  }
}
