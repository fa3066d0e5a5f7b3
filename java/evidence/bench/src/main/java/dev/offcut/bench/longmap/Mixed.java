package dev.offcut.bench.longmap;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code mixed_80_10_10}: 80 % get of a live key, 10 % put of another one, 10 % remove of the
 * oldest. Each thread has its part of the live keys, and as many to take turns with; they lie mixed
 * in the map, so that threads meet in it.
 *
 * <p>Arguments: implementation, live keys, threads, CPU seconds of warm-up, seconds of measurement.
 */
final class Mixed implements Workers.Work {
  /** Of 65,536. */
  private static final long GETS = 52_429;

  private final AddressMap map;

  /** The live ones stand from {@code oldest} on, round the end. */
  private final long[] keys;

  private final Object[] values;
  private final int live;
  private int oldest;
  private boolean putNext = true;
  private long random;
  private long wrong;

  private Mixed(AddressMap map, long[] keys, long seed) {
    this.map = map;
    this.keys = keys;
    this.values = Values.of(keys.length);
    this.live = keys.length / 2;
    this.random = seed;
  }

  public static void main(String[] args) throws InterruptedException {
    AddressMap map = AddressMap.of(args[0]);
    int threads = Integer.parseInt(args[2]);
    int each = Integer.parseInt(args[1]) / threads * 2;
    try (Addresses addresses = Addresses.malloc(threads * each)) {
      List<Mixed> works = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        works.add(new Mixed(map, addresses.part(i * each, each), 0x9E3779B97F4A7C15L * (i + 1)));
      }
      works.forEach(Mixed::fill);
      System.gc(); // the map of a program that runs for long is old
      Workers.run(works, Child.nanos(args[3]), Child.nanos(args[4])).report();
    }
  }

  private void fill() {
    for (int i = 0; i < live; i++) {
      map.put(keys[i], values[i]);
    }
  }

  @Override
  public void times(int operations) {
    for (int i = 0; i < operations; i++) {
      long next = random;
      next ^= next << 13;
      next ^= next >>> 7;
      next ^= next << 17;
      random = next;
      if (next >>> 48 < GETS) {
        int at = wrap(oldest + (int) (((next & 0xffff_ffffL) * live) >>> 32));
        if (map.get(keys[at]) != values[at]) {
          wrong++;
        }
      } else if (putNext) {
        int at = wrap(oldest + live);
        if (map.put(keys[at], values[at]) != null) {
          wrong++;
        }
        putNext = false;
      } else {
        if (map.remove(keys[oldest]) != values[oldest]) {
          wrong++;
        }
        oldest = wrap(oldest + 1);
        putNext = true;
      }
    }
  }

  private int wrap(int at) {
    return at < keys.length ? at : at - keys.length;
  }

  @Override
  public void check() {
    if (wrong != 0) {
      throw new AssertionError(wrong + " wrong answers");
    }
  }
}
