package dev.offcut.memory;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A region: reserved address space that is cut into chunks.
 *
 * <pre>
 *   region   1 GiB of address space, one lock
 *   root     4 MiB, the largest chunk; more is a run of whole roots, its tail given back
 *   granule  64 KiB = 64 leaves: committed, charged and given back as one
 *   leaf     1 KiB, the smallest chunk
 *
 *   {@link GranuleMaps}  what each granule and leaf is          {@link Extents}   chunks in a row
 *   {@link GranuleTree}  which granules are free chunks          {@link Pages}     pages, until when
 *   {@link Holdings}     which owner holds which granules
 *   {@link Granules}     hands them out, takes them back
 * </pre>
 *
 * A chunk is aligned to its own size. <b>Split:</b> a chunk is cut out of the smallest free chunk
 * that holds it, and the rest stays free as the largest chunks it can be. <b>Coalesce:</b> a freed
 * chunk joins its free neighbours at once. Below a granule this takes no work, because free leaves
 * are unset bits; above, the tree does it. Nothing is written into the memory itself.
 *
 * <p>The methods that allocate put their answer into the {@link Request}. The caller holds the
 * lock, except for the final fields {@link #lock}, {@link #base} and {@link #bytes}.
 */
final class Region {
  /** The most bytes that the maps take for a granule. */
  static final int MOST_MAP_BYTES = 64;

  final ReentrantLock lock = new ReentrantLock();
  final long base;
  final long bytes;

  final GranuleMaps maps;
  final GranuleTree tree;
  final Holdings holdings;
  final Pages pages;
  private final Geometry geometry;
  private final Granules granules;
  final Extents extents;

  Region(Geometry geometry, Commitment commitment, long base, long bytes) {
    this.geometry = geometry;
    this.base = base;
    this.bytes = bytes;
    maps = new GranuleMaps(geometry, base, bytes);
    tree = new GranuleTree(geometry.granuleLevel(), maps.count / geometry.granulesPerRoot());
    tree.put(0, maps.count);
    holdings = new Holdings(this, maps);
    pages = new Pages(maps, commitment);
    granules = new Granules(maps, tree, holdings, pages);
    extents = new Extents(geometry, granules);
  }

  void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  // Allocating.

  /** Hands out a chunk of the program, which may free it. */
  boolean allocateForProgram(Request request) {
    boolean granted =
        request.bytes > geometry.rootBytes()
            ? allocateRun(request)
            : allocateLevel(request, geometry.level(request.bytes));
    if (granted) {
      maps.addOfProgram(request.address);
    }
    return granted;
  }

  /** Hands out a chunk of a level. */
  boolean allocateLevel(Request request, int level) {
    Holding holding = holdings.openHolding(request.account);
    int j = geometry.leafLevel() - level;
    return j < Leaves.SIZES
        ? allocateSmall(request, holding, j)
        : allocateLarge(request, holding, level);
  }

  private boolean allocateSmall(Request request, Holding holding, int j) {
    for (int k = j; k < Leaves.SIZES; k++) {
      int granule = holdings.findGranule(holding, k);
      if (granule >= 0) {
        int leaf = Leaves.lowest(maps.use[granule], k);
        granules.assignLeaves(request, holding, granule, leaf, j);
        return true;
      }
    }
    int granule = granules.findFree(holding.account, geometry.granuleLevel());
    if (granule < 0) {
      return false;
    }
    tree.take(granule, geometry.granuleLevel());
    if (!granules.makeHome(request, holding, granule)) {
      return false;
    }
    granules.assignLeaves(request, holding, granule, 0, j);
    return true;
  }

  private boolean allocateLarge(Request request, Holding holding, int level) {
    int granule = granules.findFree(holding.account, level);
    if (granule < 0) {
      return false;
    }
    tree.take(granule, level);
    int count = 1 << (geometry.granuleLevel() - level);
    return granules.assignGranules(request, holding, granule, count);
  }

  /**
   * Hands out the granules that hold what is asked for; the tail of a chunk they are of is free.
   */
  boolean allocateGranules(Request request) {
    if (request.bytes > geometry.rootBytes()) {
      return allocateRun(request);
    }
    Holding holding = holdings.openHolding(request.account);
    int count = granulesFor(request.bytes);
    int level = geometry.level((long) count * maps.granuleBytes);
    int first = granules.findFree(holding.account, level);
    if (first < 0) {
      return false;
    }
    tree.take(first, level);
    tree.put(first + count, (1 << (geometry.granuleLevel() - level)) - count);
    return granules.assignGranules(request, holding, first, count);
  }

  /** Hands out whole roots in a row for more than a root has; the tail is free. */
  private boolean allocateRun(Request request) {
    Holding holding = holdings.openHolding(request.account);
    if (request.bytes > bytes) {
      return false;
    }
    int roots = (int) ((request.bytes + geometry.rootBytes() - 1) / geometry.rootBytes());
    int first = tree.takeRoots(roots);
    if (first < 0) {
      return false;
    }
    int count = granulesFor(request.bytes);
    tree.put(first + count, roots * geometry.granulesPerRoot() - count);
    request.grantedBytes = (long) count * maps.granuleBytes;
    return granules.assignGranules(request, holding, first, count);
  }

  private int granulesFor(long size) {
    return (int) ((size + maps.granuleBytes - 1) / maps.granuleBytes);
  }

  /** Hands out chunks in a row for at least what is asked for: {@code request} says how many. */
  boolean allocateExtent(Request request, long growthBytes) {
    if (request.bytes > geometry.rootBytes()) {
      return allocateRun(request);
    }
    Holding holding = holdings.openHolding(request.account);
    return extents.allocate(request, holding, request.bytes, growthBytes);
  }

  /** Hands out what lies behind an extent, if it is free: {@code request} says how many bytes. */
  boolean extendExtent(Request request, long end, long growthBytes) {
    if (request.bytes > base + bytes - end) {
      return false;
    }
    Holding holding = holdings.openHolding(request.account);
    return extents.extend(request, holding, end, request.bytes, growthBytes);
  }

  // Freeing.

  /** Frees the chunk that begins at an address, for whoever holds it: its bytes. */
  long freeChunk(long address) {
    int granule = maps.granule(address);
    maps.removeOfProgram(address);
    if (maps.kind[granule] == GranuleMaps.LARGE) {
      return granules.freeLarge(granule);
    }
    int leaf = maps.leafInGranule(address);
    int leaves = Leaves.length(maps.use[granule], maps.start[granule], leaf);
    granules.freeLeaves(granule, leaf, leaves);
    return (long) leaves << maps.leafShift;
  }

  // Looking.

  /**
   * What is free from now on has aged at the next look; accounts without anything are forgotten.
   */
  void age() {
    holdings.forgetIdle();
    pages.age();
  }

  void countInto(PoolCount count) {
    count.addRegion(bytes, pages.committedBytes());
    maps.visitFreeChunks(tree, (offset, size) -> count.addFree(size));
    holdings.countInto(count);
  }
}
