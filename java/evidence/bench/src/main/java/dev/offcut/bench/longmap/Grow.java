package dev.offcut.bench.longmap;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Heap;

/**
 * {@code grow_1m}: the slowest single puts while a map grows from empty, and the heap of an entry
 * then. On a busy machine a thread that does nothing is held up too: so after each part of the puts
 * a loop does nothing for as long as they took, in steps of as long as a put took on average.
 *
 * <p>Arguments: implementation, entries, rehearsals.
 */
final class Grow {
  private static final long SLOW_NANOS = 200_000;

  private static final int PARTS = 100;

  private long worst;
  private int slow;

  private Grow() {}

  public static void main(String[] args) {
    int entries = Integer.parseInt(args[1]);
    try (Addresses addresses = Addresses.malloc(entries)) {
      long[] keys = addresses.part(0, entries);
      for (int i = 0;
          i < Integer.parseInt(args[2]);
          i++) { // compiled, and what is loaded once is not the map's
        grow(AddressMap.of(args[0]), keys, new Grow(), new Grow());
      }
      long empty = Heap.settle();
      AddressMap map = AddressMap.of(args[0]);
      Grow puts = new Grow();
      Grow nothing = new Grow();
      grow(map, keys, puts, nothing);
      report(puts, nothing);
      Child.figure("entry_bytes", (double) (Heap.settle() - empty) / entries, "B");
      Live.check(map, keys); // still in use: neither was garbage when the heap was measured
    }
  }

  private static void report(Grow puts, Grow nothing) {
    Child.figure("worst_op_us", puts.worst / 1e3, "us");
    Child.figure("ops_over_200us", puts.slow, "count");
    Child.figure("empty_loop_worst_us", nothing.worst / 1e3, "us");
    Child.figure("empty_loop_over_200us", nothing.slow, "count");
    Child.figure("more_over_200us", puts.slow - nothing.slow, "count");
  }

  private static void grow(AddressMap map, long[] keys, Grow puts, Grow nothing) {
    int part = Math.max(1, keys.length / PARTS);
    for (int from = 0; from < keys.length; from += part) {
      long begun = System.nanoTime();
      int to = Math.min(keys.length, from + part);
      puts.put(map, keys, from, to);
      long took = System.nanoTime() - begun;
      nothing.pass(took, took / (to - from));
    }
  }

  private void put(AddressMap map, long[] keys, int from, int to) {
    for (int i = from; i < to; i++) {
      long begun = System.nanoTime();
      Live.put(map, keys[i]);
      took(System.nanoTime() - begun);
    }
  }

  private void pass(long nanos, long step) {
    long end = System.nanoTime() + nanos;
    long begun;
    do {
      begun = System.nanoTime();
      long took;
      do {
        took = System.nanoTime() - begun;
      } while (took < step);
      took(took);
    } while (begun - end < 0);
  }

  private void took(long nanos) {
    worst = Math.max(worst, nanos);
    slow += nanos > SLOW_NANOS ? 1 : 0;
  }
}
