package dev.offcut.agent.base.concurrent;

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
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
final class AddressTable {
  private static final int WINDOW = 16;

  private static final int SMALLEST = 512;

  /** The largest first. Addresses are the first half of each, with the window's rest behind. */
  private volatile long[][] tables = {table(SMALLEST)};

  /**
   * Addresses that are left out before the next try, since there was no memory for a larger table:
   * each try costs the program a collection or more. A hint, without order.
   */
  private int waits;

  AddressTable() {}

  private static long[] table(int places) {
    return new long[2 * (places + WINDOW)];
  }

  private static int places(long[] table) {
    return table.length / 2 - WINDOW;
  }

  private static int start(long address, long[] table) {
    // Fibonacci hashing; what is allocated is a multiple of 16.
    return (int) (((address >>> 4) * 0x9E3779B97F4A7C15L) >>> 32) & (places(table) - 1);
  }

  /** Puts a number for an address that is not 0, unless no memory is left for it. */
  void put(long address, long number) {
    try {
      while (true) {
        long[][] all = tables;
        for (long[] table : all) {
          if (put(table, address, number)) {
            return;
          }
        }
        if (waits > 0) {
          waits--;
          return;
        }
        grow(all);
      }
    } catch (OutOfMemoryError e) {
      // The program has its memory already, and must not be told that it has not.
      waits = places(tables[0]) / 8;
    }
  }

  private static boolean put(long[] table, long address, long number) {
    int start = start(address, table);
    for (int at = start; at < start + WINDOW; at++) {
      if (table[at] == 0 && Atomics.replace(table, at, 0, address)) {
        // Whoever gets the address from this thread sees the number, too.
        table[table.length / 2 + at] = number;
        return true;
      }
    }
    return false;
  }

  private synchronized void grow(long[][] full) {
    if (tables == full) {
      long[][] more = new long[full.length + 1][];
      System.arraycopy(full, 0, more, 1, full.length);
      more[0] = table(2 * places(full[0]));
      tables = more;
    }
  }

  /** Removes an address; its number, or 0 if there is none. */
  long remove(long address) {
    for (long[] table : tables) {
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
