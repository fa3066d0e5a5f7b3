package dev.offcut.memory;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What must hold of the maps of a pool at rest, besides the sums of {@link MemoryPool#verify}. */
final class PoolInvariants {
  private PoolInvariants() {}

  /** A pool at rest: what it keeps free decays only when a test says so. */
  static MemoryPool.Builder pool(String name) {
    return MemoryPool.named(name).decay(Duration.ofHours(1));
  }

  /** Throws at the first thing that does not hold. */
  static void check(MemoryPool pool) {
    synchronized (pool) { // keeps the net and the decay out
      for (Region region : pool.allocator().regions.all()) {
        region.locked(new OfRegion(region)::check);
      }
      checkHeaps(pool.owner());
      pool.verify();
    }
  }

  private static void checkHeaps(Owner owner) {
    for (Blocks heap : owner.heaps().open) {
      for (Bin bin : heap.bins) {
        bin.lock();
        try {
          new OfBin(bin).check(heap.map);
        } finally {
          bin.unlock();
        }
      }
    }
    owner.children().forEach(PoolInvariants::checkHeaps);
  }

  private static void require(boolean holds, Object of, String what) {
    if (!holds) {
      throw new IllegalStateException(of + ": " + what);
    }
  }

  /** The maps of a region whenever its lock is free. */
  private static final class OfRegion {
    private final Region region;
    private final GranuleMaps maps;

    OfRegion(Region region) {
      this.region = region;
      maps = region.maps;
    }

    void check() {
      for (int root = 0; root < region.tree.roots; root++) {
        checkTree(region.tree, root);
      }
      long committed = 0;
      for (int granule = 0; granule < maps.count; granule++) {
        checkGranule(granule);
        checkPages(granule);
        committed += maps.dirty[granule] == 0 ? 0 : maps.granuleBytes;
      }
      require(committed == region.pages.committedBytes(), 0, committed + " bytes are committed");
      checkHoldings();
    }

    private static void checkTree(GranuleTree tree, int root) {
      int levelsWith = 0;
      for (int node = 1; node < 2 * tree.granulesPerRoot; node++) {
        if (tree.isMarked(root, node)) {
          int level = Leaves.log2(node);
          String name = "root " + root + ", node " + node;
          levelsWith |= 1 << level;
          boolean isJoined = level == 0 || !tree.isMarked(root, node ^ 1);
          PoolInvariants.require(isJoined, name, "its other half is free, too");
          boolean isOnce = level == 0 || tree.freeAbove(root, node >> 1, level - 1) < 0;
          PoolInvariants.require(isOnce, name, "what it is a part of is free, too");
        }
      }
      for (int level = 0; level < tree.levels; level++) {
        boolean isWith = (levelsWith & 1 << level) != 0;
        boolean agrees = tree.rootsWith[level].get(root) == isWith;
        PoolInvariants.require(agrees, "root " + root, "the summary is wrong");
      }
    }

    private void checkGranule(int granule) {
      byte kind = maps.kind[granule];
      long use = maps.use[granule];
      long start = maps.start[granule];
      boolean free = kind == GranuleMaps.FREE;
      require(region.tree.isFree(granule) == free, granule, "the tree says the opposite");
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
      boolean isWaiting = region.pages.idle.get(granule) || region.pages.aged.get(granule);
      require(isWaiting == isFreeWithPages, granule, "waits for the decay: " + isWaiting);
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
        boolean isAligned = Integer.bitCount(leaves) == 1 && at % leaves == 0;
        require(isAligned, granule, "a chunk of " + leaves + " leaves at leaf " + at);
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
      @Nullable Holding[] holdings = region.holdings.holdings;
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
          require(i >= region.holdings.firstFree, 0, "number " + i + " is free and not found");
        } else {
          checkHolding(holding, granules[i], handedOut[i]);
        }
      }
    }

    private void checkHolding(Holding holding, long granules, long handedOut) {
      Account account = holding.account;
      require(account.findHolding(region) == holding, 0, account + " does not know what it holds");
      require(granules == holding.granules, 0, account + " holds " + granules + " granules");
      require(handedOut == holding.handedOutBytes, 0, account + " was handed out " + handedOut);
      boolean isWithin = holding.usedBytes >= 0 && holding.usedBytes <= handedOut;
      require(isWithin, 0, account + " uses " + holding.usedBytes + " of " + handedOut);
    }

    private void require(boolean holds, int granule, String what) {
      if (!holds) {
        String address = Long.toHexString(maps.address(granule, 0));
        PoolInvariants.require(false, "granule " + granule + " at 0x" + address, what);
      }
    }
  }

  /** Slabs, bits and counts of a bin, under its lock. */
  private static final class OfBin {
    private final Bin bin;

    OfBin(Bin bin) {
      this.bin = bin;
    }

    void check(SlabMap map) {
      for (int number = 0; number < bin.slabs.length; number++) {
        Slab slab = bin.slabs[number];
        boolean isMarked = (bin.usable[number / Long.SIZE] & 1L << number) != 0;
        if (slab == null) {
          require(!isMarked && number >= bin.firstGap, "slab " + number, "is not there");
          continue;
        }
        checkSlab(slab);
        boolean mayStay = slab.used > 0 || slab.blocks == 1 || slab == bin.spare;
        require(mayStay, slab, "has no block in use, and stays beside another");
        require(slab.number == number && slab.bin == bin, slab, "is another's");
        boolean isFound = slab.isFull() || (isMarked && number / Long.SIZE >= bin.lowest);
        require(isFound, slab, "has free blocks that no request finds");
        require(map.of(slab.base) == slab, slab, "is not found by its address");
      }
      checkKept();
    }

    private static void checkSlab(Slab slab) {
      int set = 0;
      long words = 0;
      for (int word = 0; word < slab.free.length; word++) {
        set += Long.bitCount(slab.free[word]);
        words |= slab.free[word] == 0 ? 0 : 1L << word;
      }
      require(words == slab.summary, slab, "the summary is wrong");
      require(set + slab.used == slab.blocks, slab, set + " blocks free, " + slab.used + " used");
      for (int i = 0; slab instanceof FullBlocks.CheckedSlab checked && i < slab.blocks; i++) {
        boolean agrees = slab.isFree(i) == (checked.asked(i) == 0);
        require(agrees, slab, "block " + i + " was asked for as " + checked.asked(i) + " bytes");
      }
    }

    private void checkKept() {
      long bytes = 0;
      for (int size = 0; size < bin.kept.length; size++) {
        for (Slab slab = bin.kept[size]; slab != null; slab = slab.next) {
          bytes += slab.bytes;
          boolean isEmpty = slab.used == 0 && slab.blocks == 1 && bin.slabs[slab.number] == slab;
          boolean hasSize = slab.bytes == (long) size << bin.unitBits;
          require(isEmpty && hasSize && bytes <= bin.keptBytes, slab, "is kept, and should not be");
        }
      }
      require(bytes == bin.keptBytes && bytes <= bin.mostKeptBytes, bytes, "others are kept");
      for (Slab slab : bin.slabs) {
        bytes -= slab != null && slab.used == 0 && slab.blocks == 1 ? slab.bytes : 0;
      }
      require(bytes == 0, bytes, "another is empty, and no request finds it");
    }
  }
}
