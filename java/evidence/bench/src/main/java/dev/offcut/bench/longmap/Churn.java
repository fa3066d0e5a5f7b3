package dev.offcut.bench.longmap;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Heap;
import dev.offcut.bench.longmap.Addresses.Walk;

/**
 * {@code fifo_1k}: what a map holds after many addresses have come and gone, with a thousand live.
 *
 * <p>Arguments: implementation, pairs, live entries, addresses recorded.
 */
final class Churn {
  private Churn() {}

  public static void main(String[] args) {
    int pairs = Integer.parseInt(args[1]);
    int live = Integer.parseInt(args[2]);
    try (Addresses addresses = Addresses.malloc(Integer.parseInt(args[3]))) {
      Walk walk = new Walk(addresses.part(0, Integer.parseInt(args[3])), addresses.span());
      churn(AddressMap.of(args[0]), walk, pairs / 50, live); // what is loaded once is not the map's
      long empty = Heap.settle();
      AddressMap map = AddressMap.of(args[0]);
      Walk stale = churn(map, walk, pairs, live);
      Child.figure("retained_bytes", Heap.settle() - empty, "B");
      for (int i = 0; i < live; i++) { // still in use: none of it was garbage when measured
        remove(map, stale);
      }
    }
  }

  /** Returns the walk that the live ones are on. */
  private static Walk churn(AddressMap map, Walk walk, int pairs, int live) {
    Walk fresh = walk.again();
    Walk stale = walk.again();
    for (int i = 0; i < pairs + live; i++) {
      map.put(fresh.next(), Churn.class);
      if (i >= live) {
        remove(map, stale);
      }
    }
    return stale;
  }

  private static void remove(AddressMap map, Walk stale) {
    if (map.remove(stale.next()) != Churn.class) {
      throw new AssertionError("lost");
    }
  }
}
