package dev.offcut.bench.longmap;

import dev.offcut.bench.child.Workers;

/**
 * One thread that allocates and frees at once: malloc gives it the same few addresses again and
 * again. An operation is one put and the remove of the same key.
 */
final class Lifo implements Workers.Work {
  /** A power of two. */
  static final int HOT = 64;

  private final AddressMap map;
  private final long[] hot;
  private final Object[] values = Values.of(HOT);
  private int at;
  private long wrong;

  /** On {@link #HOT} addresses of its own. */
  Lifo(AddressMap map, long[] hot) {
    this.map = map;
    this.hot = hot;
  }

  @Override
  public void times(int operations) {
    for (int i = 0; i < operations; i++) {
      int slot = at++ & (HOT - 1);
      long address = hot[slot];
      Object value = values[slot];
      if (map.put(address, value) != null) {
        wrong++;
      }
      if (map.remove(address) != value) {
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
