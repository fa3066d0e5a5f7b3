package dev.offcut.bench.longmap;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import dev.offcut.bench.longmap.Addresses.Walk;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code put_remove_…}: what entering and deleting an address costs in a map that others live in,
 * by the order in which blocks are freed.
 *
 * <p>Arguments: implementation, {@code lifo} or {@code fifo}, addresses that live in the map all
 * along, addresses recorded for each thread, threads, CPU seconds of warm-up, seconds of
 * measurement.
 */
final class PutRemove {
  /** Allocations between that of a block and its free, for {@code fifo}. */
  private static final int FREED_LATER = 1024;

  private PutRemove() {}

  public static void main(String[] args) throws InterruptedException {
    int live = Integer.parseInt(args[2]);
    int each = Math.max(Integer.parseInt(args[3]), Lifo.HOT);
    int threads = Integer.parseInt(args[4]);
    AddressMap map = AddressMap.of(args[0]);
    try (Addresses addresses = Addresses.malloc(live + threads * each)) {
      Live.fill(map, addresses.part(0, live));
      List<Workers.Work> works = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int from = live + i * each;
        works.add(
            args[1].equals("lifo")
                ? new Lifo(map, addresses.part(from, Lifo.HOT))
                : new Fifo(
                    map, new Walk(addresses.part(from, each), addresses.span()), FREED_LATER));
      }
      System.gc(); // the map of a program that runs for long is old
      Workers.run(works, Child.nanos(args[5]), Child.nanos(args[6])).report();
      Live.check(map, addresses.part(0, live));
    }
  }
}
