package dev.offcut.memory;

/** What must hold of a region's maps whenever its lock is free. */
final class RegionCheck {
  private final Geometry geometry;
  private final long base;

  RegionCheck(Geometry geometry, long base) {
    this.geometry = geometry;
    this.base = base;
  }

  /** Throws at the first granule of which something does not hold. */
  void check(long[] use, long[] start, long[] dirty, byte[] kind, int[] home, GranuleTree tree) {
    for (int granule = 0; granule < kind.length; granule++) {
      boolean free = kind[granule] == Region.FREE;
      require(tree.isFree(granule) == free, granule, "free in one map, not in the other");
      require(free == (home[granule] == 0), granule, "has an owner, or none");
      require(!free || (use[granule] | start[granule]) == 0, granule, "free and in use");
      require((use[granule] & ~dirty[granule]) == 0, granule, "in use and not dirty");
      if (kind[granule] == Region.SMALL) {
        checkSmall(granule, use[granule], start[granule]);
      } else if (kind[granule] == Region.LARGE) {
        checkLarge(granule, (int) start[granule], use, kind, home);
      } else if (kind[granule] == Region.REST) {
        require(start[granule] == 0, granule, "inside a chunk, and one begins");
        require(granule > 0 && kind[granule - 1] >= Region.LARGE, granule, "the rest of no chunk");
      }
    }
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

  private void checkLarge(int granule, int count, long[] use, byte[] kind, int[] home) {
    require(count > 0 && granule + count <= kind.length, granule, count + " granules");
    for (int g = granule; g < granule + count; g++) {
      require(use[g] == -1, g, "a part of a chunk, and not in use");
      require(home[g] == home[granule], g, "a part of a chunk with another owner");
      require(g == granule || kind[g] == Region.REST, g, "a chunk within a chunk");
    }
    int end = granule + count;
    require(end == kind.length || kind[end] != Region.REST, end, "the chunk before is too short");
  }

  private void require(boolean holds, int granule, String what) {
    if (!holds) {
      throw new IllegalStateException(
          "granule "
              + granule
              + " at 0x"
              + Long.toHexString(base + (long) granule * geometry.granuleBytes())
              + ": "
              + what);
    }
  }
}
