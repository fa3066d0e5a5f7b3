package dev.offcut.memory;

import org.jspecify.annotations.Nullable;

/** What must hold of a region's maps whenever its lock is free. */
final class RegionCheck {
  private final Region region;
  private final GranuleMaps maps;

  RegionCheck(Region region) {
    this.region = region;
    maps = region.maps;
  }

  /** Throws at the first granule of which something does not hold. The caller has the lock. */
  void check() {
    region.tree.verify();
    long committed = 0;
    for (int granule = 0; granule < maps.count; granule++) {
      checkGranule(granule);
      checkPages(granule);
      committed += maps.dirty[granule] == 0 ? 0 : maps.granuleBytes;
    }
    require(committed == region.pages.committedBytes(), 0, committed + " bytes are committed");
    checkHoldings();
  }

  private void checkGranule(int granule) {
    byte kind = maps.kind[granule];
    long use = maps.use[granule];
    long start = maps.start[granule];
    boolean free = kind == GranuleMaps.FREE;
    require(
        region.tree.isFree(granule) == free,
        granule,
        free ? "free, but not in the tree" : "in use, but free in the tree");
    boolean owned = maps.home[granule] != 0;
    require(free != owned, granule, free ? "free, but has an owner" : "in use, but has no owner");
    require(!free || (use | start) == 0, granule, "free and in use");
    long begins = kind == GranuleMaps.SMALL ? start : kind == GranuleMaps.LARGE ? 1 : 0;
    require((maps.ofProgram[granule] & ~begins) == 0, granule, "the program's, and no chunk");
    if (kind == GranuleMaps.SMALL) {
      checkSmall(granule, use, start);
    } else if (kind == GranuleMaps.LARGE) {
      checkLarge(granule, (int) start);
    } else if (kind == GranuleMaps.REST) {
      require(start == 0, granule, "inside a chunk, and one begins");
      boolean follows = granule > 0 && maps.kind[granule - 1] >= GranuleMaps.LARGE;
      require(follows, granule, "marked as the rest of a chunk, but no chunk reaches it");
    }
  }

  private void checkPages(int granule) {
    require((maps.use[granule] & ~maps.dirty[granule]) == 0, granule, "in use and not dirty");
    boolean isFreeWithPages = maps.kind[granule] == GranuleMaps.FREE && maps.dirty[granule] != 0;
    require(
        region.pages.isWaiting(granule) == isFreeWithPages,
        granule,
        isFreeWithPages
            ? "free with dirty pages, but not listed for the decay"
            : "listed for the decay, but in use or without dirty pages");
  }

  private void checkSmall(int granule, long use, long start) {
    require(use != 0, granule, "a home without chunks");
    require((start & ~use) == 0, granule, "a chunk begins at a free leaf");
    for (int at = 0; at < Geometry.LEAVES; ) {
      if ((use & 1L << at) == 0) {
        at++;
        continue;
      }
      require((start & 1L << at) != 0, granule, "leaf " + at + " in use by no chunk");
      int leaves = Leaves.length(use, start, at);
      require(
          Integer.bitCount(leaves) == 1 && at % leaves == 0,
          granule,
          "a chunk of " + leaves + " leaves at leaf " + at);
      at += leaves;
    }
  }

  private void checkLarge(int granule, int count) {
    require(count > 0 && granule + count <= maps.count, granule, count + " granules");
    for (int g = granule; g < granule + count; g++) {
      require(maps.use[g] == -1, g, "a part of a chunk, and not in use");
      require(maps.home[g] == maps.home[granule], g, "a part of a chunk with another owner");
      require(g == granule || maps.kind[g] == GranuleMaps.REST, g, "a chunk within a chunk");
    }
    int end = granule + count;
    boolean ends = end == maps.count || maps.kind[end] != GranuleMaps.REST;
    require(ends, end, "the chunk before is too short");
  }

  private void checkHoldings() {
    @Nullable Holding[] holdings = region.holdings.all();
    long[] granules = new long[holdings.length];
    long[] handedOut = new long[holdings.length];
    for (int granule = 0; granule < maps.count; granule++) {
      int number = maps.home[granule];
      if (number != 0) {
        granules[number - 1]++;
        handedOut[number - 1] += (long) Long.bitCount(maps.use[granule]) << maps.leafShift;
      }
    }
    for (int i = 0; i < granules.length; i++) {
      Holding holding = holdings[i];
      if (holding == null) {
        require(granules[i] == 0, 0, granules[i] + " granules of an owner that is gone");
        require(i >= region.holdings.firstFree(), 0, "number " + i + " is free and not found");
        continue;
      }
      Account account = holding.account;
      boolean isKnown = account.findHolding(region) == holding;
      require(isKnown, 0, account + " knows nothing of what it holds");
      require(granules[i] == holding.granules, 0, account + " holds " + granules[i] + " granules");
      boolean isCounted = handedOut[i] == holding.handedOutBytes;
      require(isCounted, 0, account + " was handed out " + handedOut[i]);
      require(
          holding.usedBytes >= 0 && holding.usedBytes <= handedOut[i],
          0,
          account + " uses " + holding.usedBytes + " of " + handedOut[i]);
    }
  }

  private void require(boolean holds, int granule, String what) {
    if (!holds) {
      throw new IllegalStateException(
          "region 0x"
              + Long.toHexString(maps.base)
              + ", granule "
              + granule
              + " at 0x"
              + Long.toHexString(maps.address(granule, 0))
              + ": "
              + what);
    }
  }
}
