package dev.offcut.memory;

import java.util.BitSet;

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
  final BitSet idle;

  final BitSet aged;
  private long committedGranules;

  Pages(GranuleMaps maps, Commitment commitment) {
    this.maps = maps;
    this.commitment = commitment;
    idle = new BitSet(maps.count); // all of it, so that no change needs memory
    aged = new BitSet(maps.count);
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
    idle.clear(granule, granule + count);
    aged.clear(granule, granule + count);
    return true;
  }

  /** A granule is free, and keeps its pages for a while. */
  void addIdle(int granule) {
    idle.set(granule);
  }

  /** What is idle has aged at the next look. */
  void age() {
    aged.or(idle);
    idle.clear();
  }

  /** Gives some pages of aged granules back: whether there may be more. */
  boolean discardAged() {
    int first = aged.nextSetBit(0);
    if (first < 0) {
      return false;
    }
    int count = Math.min(MOST_DISCARDED, aged.nextClearBit(first) - first);
    aged.clear(first, first + count);
    boolean discarded = false;
    try {
      discarded = commitment.discard(maps.address(first, 0), (long) count * maps.granuleBytes);
    } finally { // the call may need Java heap that there is not
      for (int g = first; g < first + count; g++) {
        if (discarded) {
          maps.dirty[g] = 0;
        } else {
          idle.set(g); // asked again at the next look
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
    idle.clear();
    aged.clear();
    commitment.uncommit(committedBytes());
    committedGranules = 0;
  }

  long committedBytes() {
    return committedGranules * maps.granuleBytes;
  }
}
