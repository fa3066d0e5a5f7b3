package dev.offcut.memory;

import java.util.Arrays;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The holdings of a region by number, and where each has free chunks below a granule.
 *
 * <p>A holding has a heap of granules for each size of small chunk. {@code queued} says in which of
 * them a granule is; an entry that is out of date is dropped when it comes up. Guarded by the
 * region's lock.
 */
final class Holdings {
  private final Region region;
  private final GranuleMaps maps;

  /** For each granule, in which heaps of its holding it is. */
  private final byte[] queued;

  /** By number. */
  @Nullable Holding[] holdings = {};

  /** No number below is free. */
  int firstFree;

  Holdings(Region region, GranuleMaps maps) {
    this.region = region;
    this.maps = maps;
    queued = new byte[maps.count];
  }

  /** What an account holds here, for a request: each begins with this, under the region's lock. */
  Holding openHolding(Account account) {
    account.checkOpen();
    Holding known = account.findHolding(region);
    return known == null ? add(account) : known;
  }

  private Holding add(Account account) {
    while (firstFree < holdings.length && holdings[firstFree] != null) {
      firstFree++;
    }
    if (firstFree == holdings.length) {
      holdings = Arrays.copyOf(holdings, 2 * firstFree + 1);
    }
    Holding made = new Holding(account, region, firstFree + 1);
    account.addHolding(made);
    holdings[firstFree] = made;
    return made;
  }

  /** Whose a granule is that is not free. */
  Holding holdingOf(int granule) {
    return Objects.requireNonNull(holdings[maps.home[granule] - 1]);
  }

  /** Forgets an account that holds nothing here; false if it holds something. */
  boolean forgetAccount(Account account) {
    Holding known = account.findHolding(region);
    if (known != null && known.granules == 0) {
      remove(known);
    }
    return known == null || known.granules == 0;
  }

  /** Forgets accounts that hold nothing now and held nothing at the last look. */
  void forgetIdle() {
    for (Holding holding : holdings) {
      if (holding != null && holding.granules == 0 && holding.isIdle) {
        remove(holding);
      } else if (holding != null) {
        holding.isIdle = holding.granules == 0;
      }
    }
  }

  private void remove(Holding holding) {
    holdings[holding.number - 1] = null;
    firstFree = Math.min(firstFree, holding.number - 1);
    holding.account.removeHolding(holding);
  }

  /** The lowest home granule with a free chunk of exactly 2^j leaves, or -1. */
  int findGranule(Holding holding, int j) {
    PriorityQueue<Integer> heap = holding.granulesWith.get(j);
    for (Integer lowest = heap.peek(); lowest != null; lowest = heap.peek()) {
      int granule = lowest;
      boolean isHome = maps.isHomeOf(granule, holding);
      if (isHome && (Leaves.sizesFree(maps.use[granule]) >> j & 1) != 0) {
        return granule;
      }
      heap.remove();
      if (maps.home[granule] == holding.number) {
        queued[granule] &= (byte) ~(1 << j);
      }
    }
    return -1;
  }

  /**
   * Puts a granule into the heaps of the sizes that it has free. Where there is no memory for that,
   * its next change does it: what was asked for is done already.
   */
  void queueGranule(Holding holding, int granule) {
    int sizes = Leaves.sizesFree(maps.use[granule]) & ~queued[granule];
    for (; sizes != 0; sizes &= sizes - 1) {
      int j = Integer.numberOfTrailingZeros(sizes);
      try {
        holding.granulesWith.get(j).add(granule);
        queued[granule] |= (byte) (1 << j);
      } catch (OutOfMemoryError e) {
        return;
      }
    }
  }

  /** A granule is free: it is in no heap that counts. */
  void unqueueGranule(int granule) {
    queued[granule] = 0;
  }

  /** Adds up what each account holds. */
  void countInto(PoolCount count) {
    for (Holding holding : holdings) {
      if (holding != null) {
        count.addHolding(holding, maps.granuleBytes);
      }
    }
  }
}
