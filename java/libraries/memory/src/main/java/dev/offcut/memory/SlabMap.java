package dev.offcut.memory;

import org.jspecify.annotations.Nullable;

/**
 * Which slab an address is in: a hash table by address, in units of a slab.
 *
 * <p>Any thread may look; changes are made under the monitor. A look finds every slab that was put
 * before by what happened before the look, so whoever was given a block finds its slab.
 */
final class SlabMap {
  private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;
  private static final int FIRST_PLACES = 64;

  /** Places to one entry, at least: more is memory, less is steps. */
  private static final int SPARSENESS = 3;

  /** Stands where a slab was, since looks go on behind it. */
  private static final Slab GONE = new Slab(new Bin(), 0, 0, 0, 1);

  private final int shift;
  private volatile @Nullable Slab[] places = new Slab[FIRST_PLACES];
  private int entries;

  /** Places that are not null: entries, and what went. */
  private int taken;

  SlabMap(long slabBytes) {
    shift = Long.numberOfTrailingZeros(slabBytes);
  }

  @Nullable Slab of(long address) {
    @Nullable Slab[] table = places;
    int mask = table.length - 1;
    for (int at = place(address); ; at++) {
      // Plain: what a slab's reader needs is final, or guarded by its bin. Whoever was given a
      // block sees this place as it was then, or newer: BlockHeapThreadsTest hands blocks over.
      Slab slab = table[at & mask];
      if (slab == null || slab.contains(address)) {
        return slab;
      }
    }
  }

  /** Makes a slab known. It can fail for want of heap only, and then has changed nothing. */
  synchronized void put(Slab slab) {
    if ((taken + 1) * SPARSENESS > places.length) {
      rebuild();
    }
    @Nullable Slab[] table = places;
    int at = free(table, slab);
    taken += table[at] == null ? 1 : 0;
    table[at] = slab;
    entries++;
  }

  /** Makes a slab unknown, if it is known. */
  synchronized void remove(Slab slab) {
    @Nullable Slab[] table = places;
    int mask = table.length - 1;
    int at = place(slab.base) & mask;
    while (table[at] != null && table[at] != slab) {
      at = (at + 1) & mask;
    }
    if (table[at] != null) {
      table[at] = GONE;
      entries--;
    }
  }

  private void rebuild() {
    int length = FIRST_PLACES;
    while (length < 2 * SPARSENESS * (entries + 1)) {
      length *= 2;
    }
    @Nullable Slab[] table = new Slab[length];
    for (Slab slab : places) {
      if (slab != null && slab != GONE) {
        table[free(table, slab)] = slab;
      }
    }
    taken = entries;
    places = table;
  }

  private int free(@Nullable Slab[] table, Slab slab) {
    int mask = table.length - 1;
    int at = place(slab.base) & mask;
    while (table[at] != null && table[at] != GONE) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private int place(long address) {
    return (int) (((address >>> shift) * GOLDEN) >>> 32);
  }
}
