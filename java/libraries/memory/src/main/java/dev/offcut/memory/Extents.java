package dev.offcut.memory;

/**
 * Extents of a region: chunks one after the other, for arenas that grow at their end as long as the
 * memory behind it is free, whether that is a buddy or not.
 *
 * <p>An extent begins at the low end of the free leaves around the lowest chunk that fits, so that
 * what lies before it is not stranded. Guarded by the region's lock.
 */
final class Extents {
  private final Geometry geometry;
  private final Granules granules;
  private final GranuleMaps maps;

  Extents(Geometry geometry, Granules granules) {
    this.geometry = geometry;
    this.granules = granules;
    maps = granules.maps;
  }

  /**
   * Hands out at least so many bytes, at most a root, and as many as an arena would like to grow by
   * if they are free: {@code request} says where and how many.
   */
  boolean allocate(Request request, Holding holding, long atLeast, long growthBytes) {
    int need = maps.leaves(atLeast);
    int growth = maps.leaves(Math.min(growthBytes, geometry.rootBytes()));
    int least = ceilingPowerOfTwo(need);
    int want = Math.max(least, growth);
    return place(request, holding, need, want)
        || (want > least && place(request, holding, need, least));
  }

  /**
   * Begins an extent; a limit may refuse a free granule, and have room for fewer leaves at home.
   */
  private boolean place(Request request, Holding holding, int need, int want) {
    request.refusedBy = null;
    long address = findStart(holding, want);
    if (address == 0 || !extend(request, holding, address, need, want)) {
      return false;
    }
    request.address = address;
    return true;
  }

  /** Hands out what lies behind an extent: {@code request} says how many bytes. */
  boolean extend(Request request, Holding holding, long end, long atLeast, long growthBytes) {
    return extend(request, holding, end, maps.leaves(atLeast), maps.leaves(growthBytes));
  }

  /**
   * Hands out at least {@code need} leaves from an address on, {@code want} at a time if no limit
   * is against that, or none.
   */
  private boolean extend(Request request, Holding holding, long address, int need, int want) {
    long taken = 0;
    boolean zero = true;
    int atOnce = want;
    while (taken < need) {
      int most = (int) Math.max(atOnce, need - taken);
      int more = extendOnce(request, holding, address + (taken << maps.leafShift), most);
      if (more == 0 && request.refusedBy != null && most > need - taken) {
        request.refusedBy = null;
        atOnce = 0; // a limit may have room for what is needed
        continue;
      }
      if (more == 0) {
        if (taken > 0) {
          free(address, taken << maps.leafShift);
        }
        return false;
      }
      taken += more;
      zero &= request.isZero;
    }
    request.grantedBytes = taken << maps.leafShift;
    request.isZero = zero;
    return true;
  }

  /**
   * Hands out the largest chunk of at most so many leaves that begins at an address, if it is free
   * and at home, or in a free granule: how many leaves, or 0.
   */
  private int extendOnce(Request request, Holding holding, long address, int leaves) {
    int granule = maps.granule(address);
    int leaf = maps.leafInGranule(address);
    if (granule >= maps.count) {
      return 0;
    }
    if (maps.isHomeOf(granule, holding)) {
      int free = Leaves.freeFrom(maps.use[granule], leaf);
      if (free == 0) {
        return 0;
      }
      int most = Math.min(Leaves.SIZES - 1, Leaves.log2(Math.min(free, leaves)));
      int j = Math.min(most, Integer.numberOfTrailingZeros(leaf | 1 << Leaves.SIZES));
      granules.assignLeaves(request, holding, granule, leaf, j);
      return 1 << j;
    }
    boolean isFree = maps.kind[granule] == GranuleMaps.FREE && leaf == 0;
    return isFree ? extendIntoFree(request, holding, granule, leaves) : 0;
  }

  private int extendIntoFree(Request request, Holding holding, int granule, int leaves) {
    if (leaves < Geometry.LEAVES) {
      if (!granules.tree.take(granule, geometry.granuleLevel())
          || !granules.makeHome(request, holding, granule)) {
        return 0;
      }
      int j = Leaves.log2(leaves);
      granules.assignLeaves(request, holding, granule, 0, j);
      return 1 << j;
    }
    int aligned = granule == 0 ? geometry.granulesPerRoot() : Integer.lowestOneBit(granule);
    int count = Integer.highestOneBit(leaves / Geometry.LEAVES);
    count = Math.min(Math.min(aligned, count), geometry.granulesPerRoot());
    while (!granules.tree.take(granule, geometry.granuleLevel() - Leaves.log2(count))) {
      count /= 2;
    }
    boolean granted = granules.assignGranules(request, holding, granule, count);
    return granted ? count * Geometry.LEAVES : 0;
  }

  /**
   * Where an extent should begin: the low end of the free leaves around the lowest chunk of {@code
   * want} leaves, a power of two, as far back as the granule before. An address to extend from, or
   * 0.
   */
  private long findStart(Holding holding, int want) {
    int j = Leaves.log2(want);
    for (int k = j; k < Leaves.SIZES; k++) {
      int granule = granules.holdings.findGranule(holding, k);
      if (granule >= 0) {
        return lowEnd(holding, granule, Leaves.lowest(maps.use[granule], k));
      }
    }
    int level = Math.min(geometry.granuleLevel(), Math.max(0, geometry.leafLevel() - j));
    int granule = granules.findFree(holding.account, level);
    return granule >= 0 ? lowEnd(holding, granule, 0) : 0;
  }

  private long lowEnd(Holding holding, int granule, int leaf) {
    int low = leaf - Leaves.freeBefore(maps.use[granule], leaf);
    int before = granule - 1;
    if (low == 0 && before >= 0 && maps.isHomeOf(before, holding)) {
      int free = Leaves.freeBefore(maps.use[before], Geometry.LEAVES);
      return maps.address(granule, 0) - ((long) free << maps.leafShift);
    }
    return maps.address(granule, low);
  }

  /** Takes the chunks back that make up an extent. */
  void free(long address, long bytes) {
    for (long at = address, end = address + bytes; at < end; ) {
      int granule = maps.granule(at);
      if (maps.kind[granule] == GranuleMaps.LARGE) {
        at += granules.freeLarge(granule);
      } else {
        int leaf = maps.leafInGranule(at);
        int count = (int) Math.min(Geometry.LEAVES - leaf, (end - at) >> maps.leafShift);
        granules.freeLeaves(granule, leaf, count);
        at += (long) count << maps.leafShift;
      }
    }
  }

  private static int ceilingPowerOfTwo(int positive) {
    return positive == 1 ? 1 : Integer.highestOneBit(positive - 1) << 1;
  }
}
