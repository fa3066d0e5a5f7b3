package dev.offcut.memory;

import java.util.Arrays;

/**
 * The pages of a region: how many granules have some, and when they go back to the system.
 *
 * <pre>
 *   in use ──free──▶ idle ──a turn of the decay──▶ aged ──the next──▶ given back, zero
 *      ◀───────────── taken again ──────────────────┘
 * </pre>
 *
 * A granule is committed if any of its leaves is dirty. Guarded by the region's lock.
 */
final class Pages {
  /** The most that is given back in one call of the system, while the lock is held. */
  private static final int MOST_DISCARDED = 64;

  private final GranuleMaps maps;
  private final Commitment commitment;

  /** Free granules with pages: released since the last look, and before it. */
  private final long[] idle;

  private final long[] aged;
  private long committedGranules;

  Pages(GranuleMaps maps, Commitment commitment) {
    this.maps = maps;
    this.commitment = commitment;
    idle = new long[(maps.count + Long.SIZE - 1) / Long.SIZE];
    aged = new long[idle.length];
  }

  /** Commits granules that were free; false if the limit of the pool stands against it. */
  boolean commit(int granule, int count) {
    int fresh = 0;
    for (int g = granule; g < granule + count; g++) {
      fresh += maps.dirty[g] == 0 ? 1 : 0;
    }
    if (!commitment.commit((long) fresh * maps.granuleBytes)) {
      return false;
    }
    committedGranules += fresh;
    for (int g = granule; g < granule + count; g++) {
      clear(idle, g);
      clear(aged, g);
    }
    return true;
  }

  /** A granule is free, and keeps its pages for a while. */
  void addIdle(int granule) {
    set(idle, granule);
  }

  /** What is idle has aged at the next look. True if there is something to look at. */
  boolean age() {
    boolean any = false;
    for (int i = 0; i < idle.length; i++) {
      aged[i] |= idle[i];
      idle[i] = 0;
      any |= aged[i] != 0;
    }
    return any;
  }

  /** Gives some pages of aged granules back: whether there may be more. */
  boolean discardAged() {
    int first = lowest(aged);
    if (first < 0) {
      return false;
    }
    int count = 0;
    while (count < MOST_DISCARDED && first + count < maps.count && has(aged, first + count)) {
      clear(aged, first + count);
      count++;
    }
    boolean discarded = false;
    try {
      discarded = commitment.discard(maps.address(first, 0), (long) count * maps.granuleBytes);
    } finally { // the call may need Java heap that there is not
      for (int g = first; g < first + count; g++) {
        if (discarded) {
          maps.dirty[g] = 0;
        } else {
          set(idle, g); // asked again at the next look
        }
      }
    }
    if (discarded) {
      committedGranules -= count;
      commitment.uncommit((long) count * maps.granuleBytes);
    }
    return true;
  }

  /**
   * Gives back the pages of some granules, from one on, that no used leaf lies on; the next
   * granule, or -1.
   */
  int trim(int from) {
    int end = Math.min(maps.count, from + MOST_DISCARDED);
    for (int granule = from; granule < end; granule++) {
      if (maps.kind[granule] == GranuleMaps.SMALL) {
        trimGranule(granule);
      }
    }
    return end == maps.count ? -1 : end;
  }

  private void trimGranule(int granule) {
    int perPage = Math.max(1, commitment.pageBytes() >> maps.leafShift);
    if (perPage > Geometry.LEAVES) {
      return;
    }
    long dirty = maps.dirty[granule];
    long spare = pagesWithout(maps.use[granule], perPage) & ~pagesWithout(dirty, perPage);
    while (spare != 0) {
      int at = Long.numberOfTrailingZeros(spare);
      int count = Math.min(Long.SIZE - at, Long.numberOfTrailingZeros(~(spare >>> at)));
      long mask = Leaves.run(at, count);
      spare &= ~mask;
      if (commitment.discard(maps.address(granule, at), (long) count << maps.leafShift)) {
        maps.dirty[granule] &= ~mask;
      }
    }
  }

  /** The leaves on pages that have no bit set. */
  private static long pagesWithout(long bits, int perPage) {
    long pages = 0;
    for (int at = 0; at < Geometry.LEAVES; at += perPage) {
      long page = Leaves.run(at, perPage);
      pages |= (bits & page) == 0 ? page : 0;
    }
    return pages;
  }

  /** Counts no pages any more, since the address space goes back: there are none to discard. */
  void giveUp() {
    Arrays.fill(idle, 0);
    Arrays.fill(aged, 0);
    commitment.uncommit(committedBytes());
    committedGranules = 0;
  }

  /** Bytes of the granules that have pages. */
  long committedBytes() {
    return committedGranules * maps.granuleBytes;
  }

  /** Whether a granule waits for its pages to go. */
  boolean isWaiting(int granule) {
    return has(idle, granule) || has(aged, granule);
  }

  private static boolean has(long[] bits, int at) {
    return (bits[at / Long.SIZE] & 1L << at) != 0;
  }

  private static void set(long[] bits, int at) {
    bits[at / Long.SIZE] |= 1L << at;
  }

  private static void clear(long[] bits, int at) {
    bits[at / Long.SIZE] &= ~(1L << at);
  }

  private static int lowest(long[] bits) {
    for (int i = 0; i < bits.length; i++) {
      if (bits[i] != 0) {
        return i * Long.SIZE + Long.numberOfTrailingZeros(bits[i]);
      }
    }
    return -1;
  }
}
