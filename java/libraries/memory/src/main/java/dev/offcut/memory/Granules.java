package dev.offcut.memory;

/**
 * Hands granules and leaves of a region out to holdings, and takes them back: where memory is
 * charged and committed.
 *
 * <pre>
 *   free ──assignGranules──▶ LARGE, REST ──freeLarge──▶ free
 *   free ──makeHome──▶ SMALL ──assignLeaves … freeLeaves──▶ the last leaf is free: free
 * </pre>
 *
 * Guarded by the region's lock.
 */
final class Granules {
  final GranuleMaps maps;
  final GranuleTree tree;
  final Holdings holdings;
  private final Pages pages;

  Granules(GranuleMaps maps, GranuleTree tree, Holdings holdings, Pages pages) {
    this.maps = maps;
    this.tree = tree;
    this.holdings = holdings;
    this.pages = pages;
  }

  /**
   * A free granule where a chunk of a level begins, or -1. Short-lived accounts fill from below,
   * long-lived ones from above: they do not mix.
   */
  int findFree(Account account, int level) {
    return account.lifetime() == Lifetime.LONG ? tree.highest(level) : tree.lowest(level);
  }

  /** Makes a granule that was taken out of the tree a home; false if a limit stands against it. */
  boolean makeHome(Request request, Holding holding, int granule) {
    if (!acquire(request, holding, granule, 1)) {
      return false;
    }
    maps.kind[granule] = GranuleMaps.SMALL;
    return true;
  }

  /** Hands 2^j leaves of a home granule out. */
  void assignLeaves(Request request, Holding holding, int granule, int leaf, int j) {
    long mask = Leaves.mask(leaf, j);
    request.address = maps.address(granule, leaf);
    request.isZero = (maps.dirty[granule] & mask) == 0;
    maps.use[granule] |= mask;
    maps.dirty[granule] |= mask;
    maps.start[granule] |= 1L << leaf;
    holding.handedOutBytes += 1L << (j + maps.leafShift);
    holdings.queueGranule(holding, granule);
  }

  /**
   * Hands granules that were taken out of the tree out as one chunk; false if a limit stands
   * against it.
   */
  boolean assignGranules(Request request, Holding holding, int granule, int count) {
    if (!acquire(request, holding, granule, count)) {
      return false;
    }
    boolean zero = true;
    for (int g = granule; g < granule + count; g++) {
      maps.kind[g] = g == granule ? GranuleMaps.LARGE : GranuleMaps.REST;
      maps.use[g] = -1;
      zero &= maps.dirty[g] == 0;
      maps.dirty[g] = -1;
    }
    maps.start[granule] = count;
    holding.handedOutBytes += (long) count * maps.granuleBytes;
    request.address = maps.address(granule, 0);
    request.isZero = zero;
    return true;
  }

  /** Charges and commits granules that were taken out of the tree, or puts them back. */
  private boolean acquire(Request request, Holding holding, int granule, int count) {
    long charged = (long) count * maps.granuleBytes;
    Account refused = holding.account.charge(charged);
    if (refused == null && !pages.commit(granule, count)) {
      holding.account.discharge(charged);
      refused = holding.account.root();
    }
    if (refused != null) {
      request.refusedBy = refused;
      tree.put(granule, count);
      return false;
    }
    holding.granules += count;
    for (int g = granule; g < granule + count; g++) {
      maps.home[g] = holding.number;
    }
    return true;
  }

  /** Takes leaves of a home granule back. */
  void freeLeaves(int granule, int leaf, int leaves) {
    long mask = Leaves.run(leaf, leaves);
    Holding holding = holdings.holdingOf(granule);
    maps.use[granule] &= ~mask;
    maps.start[granule] &= ~mask;
    holding.handedOutBytes -= (long) leaves << maps.leafShift;
    if (maps.use[granule] == 0) {
      release(holding, granule, 1);
    } else {
      holdings.queueGranule(holding, granule);
    }
  }

  /** Takes the chunk back that begins with a granule: its bytes. */
  long freeLarge(int granule) {
    int count = (int) maps.start[granule];
    Holding holding = holdings.holdingOf(granule);
    for (int g = granule; g < granule + count; g++) {
      maps.use[g] = 0;
    }
    maps.start[granule] = 0;
    holding.handedOutBytes -= (long) count * maps.granuleBytes;
    release(holding, granule, count);
    return (long) count * maps.granuleBytes;
  }

  private void release(Holding holding, int granule, int count) {
    for (int g = granule; g < granule + count; g++) {
      maps.kind[g] = GranuleMaps.FREE;
      maps.home[g] = 0;
      holdings.unqueueGranule(g);
      pages.addIdle(g);
    }
    holding.granules -= count;
    holding.account.discharge((long) count * maps.granuleBytes);
    tree.put(granule, count);
  }
}
