package dev.offcut.agent.base.concurrent;

/**
 * A number other than 0 for each address that is open. An address may be freed where nobody sees
 * it, and then be somebody else's, who puts it again: the number of the one before is replaced and
 * returned.
 *
 * <p>The table is striped by the hash of the address; a stripe is its own lock. An address stands
 * at the place that its hash says, or behind it where the next free place is. One that is removed
 * keeps its place, without a number, until the stripe is made anew: so no entry ever moves within a
 * stripe, and an error at any call leaves it whole. An entry takes two words. A stripe grows when
 * three quarters of its places are in use.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
final class AddressTable {
  private static final int STRIPE_BITS = 6;

  private final Stripe[] stripes = new Stripe[1 << STRIPE_BITS];

  AddressTable() {
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new Stripe();
    }
  }

  /**
   * Puts a number for an address that is not 0, unless no memory is left for it; the number that
   * was there, or 0.
   */
  long put(long address, long number) {
    return stripe(address).put(address, number);
  }

  /** Removes an address; its number, or 0 if there is none. */
  long remove(long address) {
    return stripe(address).remove(address);
  }

  private Stripe stripe(long address) {
    return stripes[(int) (hash(address) >>> (Long.SIZE - STRIPE_BITS))];
  }

  /** Fibonacci hashing; what is allocated is a multiple of 16. */
  private static long hash(long address) {
    return (address >>> 4) * 0x9E3779B97F4A7C15L;
  }

  private static final class Stripe {
    private static final int FEWEST_PLACES = 16;

    /** An address and its number in turn. A place without an address is free. */
    private long[] entries = new long[2 * FEWEST_PLACES];

    /** Places that have an address; and how many may have one until the stripe is made anew. */
    private int used;

    private int most = FEWEST_PLACES * 3 / 4;

    /**
     * Addresses that are left out before the next try, since there was no memory: each try costs
     * the program a collection or more.
     */
    private int waits;

    synchronized long put(long address, long number) {
      int at = find(entries, address);
      if (entries[at] == 0) {
        if (used == most && !isRenewed()) {
          return 0;
        }
        at = find(entries, address);
        entries[at] = address;
        used++;
      }
      long before = entries[at + 1];
      entries[at + 1] = number;
      return before;
    }

    synchronized long remove(long address) {
      int at = find(entries, address);
      long number = entries[at + 1];
      entries[at + 1] = 0;
      return number;
    }

    /** Where an address is, or the free place where it would be. */
    private static int find(long[] entries, long address) {
      int last = entries.length - 2;
      int at = (int) (hash(address) >>> Integer.SIZE) << 1 & last;
      while (entries[at] != 0 && entries[at] != address) {
        at = at + 2 & last;
      }
      return at;
    }

    /** Makes it of the addresses that have a number, with room for more; false: without memory. */
    private boolean isRenewed() {
      if (waits > 0) {
        waits--;
        return false;
      }
      int open = 0;
      for (int at = 0; at < entries.length; at += 2) {
        open += entries[at + 1] == 0 ? 0 : 1;
      }
      try {
        int places = Math.max(FEWEST_PLACES, 4 * Integer.highestOneBit(open));
        long[] made = new long[2 * places];
        for (int at = 0; at < entries.length; at += 2) {
          if (entries[at + 1] != 0) {
            int to = find(made, entries[at]);
            made[to] = entries[at];
            made[to + 1] = entries[at + 1];
          }
        }
        entries = made;
        used = open;
        most = places * 3 / 4;
        return true;
      } catch (OutOfMemoryError e) {
        // The program has its memory already, and must not be told that it has not.
        waits = used / 8;
        return false;
      }
    }
  }
}
