package dev.offcut.bench.longmap;

import dev.offcut.bench.child.Workers;
import dev.offcut.bench.longmap.Addresses.Walk;

/**
 * One thread whose blocks are freed long after their allocation, as a garbage collector does it, so
 * that malloc always gives another address. An operation is one put of a fresh key and one remove
 * of the key that was put {@code live} operations before.
 */
final class Fifo implements Workers.Work {
  /** A power of two. More than are in the map at a time. */
  private static final int VALUES = 2048;

  private final AddressMap map;
  private final int live;
  private final Walk fresh;
  private final Walk stale;
  private final Object[] values = Values.of(VALUES);
  private int at;
  private long wrong;

  /** On the addresses of a walk of its own. */
  Fifo(AddressMap map, Walk fresh, int live) {
    this.map = map;
    this.fresh = fresh;
    this.stale = fresh.again();
    this.live = live;
  }

  @Override
  public void begin() {
    for (int i = 0; i < live; i++) {
      if (map.put(fresh.next(), values[at++ & (VALUES - 1)]) != null) {
        wrong++;
      }
    }
  }

  @Override
  public void times(int operations) {
    for (int i = 0; i < operations; i++) {
      Object young = values[at & (VALUES - 1)];
      Object old = values[(at - live) & (VALUES - 1)];
      at++;
      if (map.put(fresh.next(), young) != null) {
        wrong++;
      }
      if (map.remove(stale.next()) != old) {
        wrong++;
      }
    }
  }

  @Override
  public void check() {
    if (wrong != 0) {
      throw new AssertionError(wrong + " wrong answers");
    }
  }
}
