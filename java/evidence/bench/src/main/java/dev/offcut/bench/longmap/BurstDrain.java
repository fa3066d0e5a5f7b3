package dev.offcut.bench.longmap;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Heap;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code burst_drain_1m}: what a map holds full, and what it still holds some seconds after it was
 * emptied, when nobody has called it since.
 *
 * <p>Arguments: implementation, entries, seconds.
 */
final class BurstDrain {
  private static final Object VALUE = new Object();

  private BurstDrain() {}

  public static void main(String[] args) {
    int entries = Integer.parseInt(args[1]);
    try (Addresses addresses = Addresses.malloc(entries)) {
      long[] keys = addresses.part(0, entries);
      rehearse(args[0], keys);
      long empty = Heap.settle();
      AddressMap map = AddressMap.of(args[0]);
      fill(map, keys);
      long peak = Heap.settle() - empty;
      drain(map, keys);
      pause(Child.nanos(args[2]));
      long retained = Heap.settle() - empty;
      Child.figure("entry_bytes", (double) peak / entries, "B");
      Child.figure("given_back_percent", 100.0 * (peak - retained) / peak, "%");
      fill(map, keys); // still in use: neither was garbage when the heap was measured
    }
  }

  /** What is loaded once is not the map's. */
  private static void rehearse(String impl, long[] keys) {
    AddressMap map = AddressMap.of(impl);
    fill(map, keys);
    drain(map, keys);
  }

  private static void pause(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  static void fill(AddressMap map, long[] addresses) {
    for (long address : addresses) {
      if (map.put(address, VALUE) != null) {
        throw new AssertionError("twice: " + address);
      }
    }
  }

  private static void drain(AddressMap map, long[] addresses) {
    for (long address : addresses) {
      if (map.remove(address) != VALUE) {
        throw new AssertionError("lost: " + address);
      }
    }
  }
}
