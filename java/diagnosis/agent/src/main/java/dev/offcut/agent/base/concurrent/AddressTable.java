package dev.offcut.agent.base.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * A number other than 0 for each address that is open. Who has an address is alone with it: nobody
 * else has the same until it is freed, so that an address is put and removed without a lock.
 *
 * <p>It consists of tables, each twice as large as the one before; addresses lie in a window of one
 * of them behind the place that their hash says. One is put where a place is free, in the largest
 * table first, and if no window has one, into a new table. So none is ever moved, and where one is
 * removed its place is simply free. An entry is two words: at about half of the places in use, up
 * to 40 bytes for each that is open.
 *
 * <p>An address may be freed where nobody sees it, and then be somebody else's, who puts it again:
 * the number of the one before is replaced and returned. It may be in any table. A filter says
 * which addresses the smaller tables do not have, so that most calls look through the largest one
 * only. The filter is bits by hash. They are never cleared; each new table comes with a new filter.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
final class AddressTable {
  private static final int WINDOW = 16;

  private static final int SMALLEST = 512;

  private volatile Tables current = new Tables(new long[][] {table(SMALLEST)}, null);

  /**
   * Addresses that are left out before the next try, since there was no memory for a larger table:
   * each try costs the program a collection or more. A hint, without order.
   */
  private int waits;

  AddressTable() {}

  /** The tables that there are at a time, and the filter of all but the largest. */
  private static final class Tables {
    /** The largest first. Addresses are the first half of each, with the window's rest behind. */
    final long[][] all;

    private final long @Nullable [] filter;

    /** Whether the filter has all that was there before it was made. */
    volatile boolean isComplete;

    Tables(long[][] all, long @Nullable [] filter) {
      this.all = all;
      this.filter = filter;
    }

    /** Whether a smaller table may have an address. */
    boolean mayHave(long address) {
      if (filter == null || !isComplete) {
        return all.length > 1;
      }
      long bit = bit(address, filter);
      return (filter[(int) (bit >>> 6)] & 1L << bit) != 0;
    }

    /** From now on a smaller table may have an address. */
    void add(long address) {
      if (filter != null) {
        long bit = bit(address, filter);
        int at = (int) (bit >>> 6);
        long before = filter[at];
        while ((before & 1L << bit) == 0
            && !Atomics.replace(filter, at, before, before | 1L << bit)) {
          before = filter[at];
        }
      }
    }

    private static long bit(long address, long[] filter) {
      return (hash(address) >>> 28) & (((long) filter.length << 6) - 1);
    }

    /** Adds all that is in smaller tables. Who puts meanwhile adds by itself. */
    void complete() {
      // The places below are plain reads, which must not come before the tables were published.
      Atomics.UNSAFE.fullFence();
      for (int table = 1; table < all.length; table++) {
        long[] addresses = all[table];
        for (int at = 0; at < addresses.length / 2; at++) {
          if (addresses[at] != 0) {
            add(addresses[at]);
          }
        }
      }
      isComplete = true;
    }
  }

  private static long[] table(int places) {
    return new long[2 * (places + WINDOW)];
  }

  private static int places(long[] table) {
    return table.length / 2 - WINDOW;
  }

  /** Fibonacci hashing; what is allocated is a multiple of 16. */
  private static long hash(long address) {
    return (address >>> 4) * 0x9E3779B97F4A7C15L;
  }

  private static int start(long address, long[] table) {
    return (int) (hash(address) >>> 32) & (places(table) - 1);
  }

  /**
   * Puts a number for an address that is not 0, unless no memory is left for it; the number that
   * was there, or 0.
   */
  long put(long address, long number) {
    try {
      while (true) {
        Tables tables = current;
        long[] free = null;
        int place = 0;
        for (long[] table : tables.all) {
          int start = start(address, table);
          for (int at = start; at < start + WINDOW; at++) {
            long there = table[at];
            if (there == address) {
              return replace(table, at, number);
            }
            if (there == 0 && free == null) {
              free = table;
              place = at;
            }
          }
          if (free != null && table == tables.all[0] && !tables.mayHave(address)) {
            break;
          }
        }
        if (free == null) {
          if (waits > 0) {
            waits--;
            return 0;
          }
          grow(tables);
        } else if (put(tables, free, place, address)) {
          // Whoever gets the address from this thread sees the number, too.
          free[free.length / 2 + place] = number;
          return 0;
        } // else another thread has taken the place meanwhile: all over again
      }
    } catch (OutOfMemoryError e) {
      // The program has its memory already, and must not be told that it has not.
      waits = places(current.all[0]) / 8;
      return 0;
    }
  }

  private boolean put(Tables tables, long[] table, int place, long address) {
    if (table != tables.all[0]) {
      tables.add(address);
    }
    if (!Atomics.replace(table, place, 0, address)) {
      return false;
    }
    // The address is stored before this read, and the filter's tables are published before their
    // places are read: either who completes a new filter sees the address, or this thread sees it.
    Tables now = current;
    if (now != tables) {
      now.add(address);
    }
    return true;
  }

  private static long replace(long[] table, int at, long number) {
    int its = table.length / 2 + at;
    long before = table[its];
    table[its] = number;
    return before;
  }

  private void grow(Tables full) {
    Tables made = larger(full);
    if (made != null) {
      made.complete();
    }
  }

  private synchronized @Nullable Tables larger(Tables full) {
    if (current != full) {
      return null;
    }
    long[][] more = new long[full.all.length + 1][];
    System.arraycopy(full.all, 0, more, 1, full.all.length);
    more[0] = table(2 * places(full.all[0]));
    // Of the places of all smaller tables together each has eight bits.
    Tables made = new Tables(more, new long[places(full.all[0]) / 4]);
    current = made;
    return made;
  }

  /** Removes an address; its number, or 0 if there is none. */
  long remove(long address) {
    Tables tables = current;
    for (long[] table : tables.all) {
      if (table != tables.all[0] && !tables.mayHave(address)) {
        return 0;
      }
      int start = start(address, table);
      for (int at = start; at < start + WINDOW; at++) {
        if (table[at] == address) {
          long number = table[table.length / 2 + at];
          // Released: what the next one writes there comes after the read above.
          Atomics.UNSAFE.putLongRelease(table, Atomics.at(at), 0);
          return number;
        }
      }
    }
    return 0;
  }
}
