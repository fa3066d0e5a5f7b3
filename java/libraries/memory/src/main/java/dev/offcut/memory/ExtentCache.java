package dev.offcut.memory;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The extents of one owner's arenas: takes them from the pool, and keeps some of closed arenas for
 * the next ones, one a stripe, not longer than {@link Settings#MOST_KEPT_BYTES}, for as long as
 * free memory keeps its pages.
 *
 * <p>Any thread may use it.
 */
final class ExtentCache {
  /** Slots lie this far apart, so that two threads do not share a cache line. */
  private static final int STRIDE = 16;

  final Account account;
  final ChunkAllocator allocator;

  /** Bytes by which arenas grow, at first and at most. */
  final long firstGrowthBytes;

  final long mostGrowthBytes;

  /** For kept extents. Made when the first extent is taken. */
  private volatile @Nullable AtomicReferenceArray<@Nullable Extent> slots;

  ExtentCache(
      Account account, ChunkAllocator allocator, long firstGrowthBytes, long mostGrowthBytes) {
    this.account = account;
    this.allocator = allocator;
    this.firstGrowthBytes = firstGrowthBytes;
    this.mostGrowthBytes = mostGrowthBytes;
  }

  /** A lease on an extent of at least so many bytes, for an arena's first block. */
  Lease openLease(long bytes) {
    StackProbe.check();
    Extent extent = takeKept();
    if (extent != null && extent.bytes() < bytes) {
      freeExtent(extent);
      extent = null;
    }
    if (extent == null) {
      extent = takeNumbered(bytes);
    }
    extent.aged = false;
    return makeLease(extent);
  }

  // Blocks.

  /** The bytes that a block takes, or what is thrown at whoever asks for such a block. */
  long blockBytes(long bytes, long alignment) {
    if (bytes < 0) {
      throw new IllegalSizeException("a block of " + bytes + " bytes: ask for 0 or more");
    }
    if (alignment <= 0 || Long.bitCount(alignment) != 1) {
      throw new IllegalSizeException(
          "an alignment of " + alignment + ": give a power of two, 1 or more");
    }
    // A block of nothing has an address of its own.
    long size = (Math.max(bytes, 1) + Settings.BLOCK_BYTES - 1) & -Settings.BLOCK_BYTES;
    if (size <= 0 || size + alignment < 0) {
      throw allocator.tooLarge(account, bytes);
    }
    return size;
  }

  IllegalStateException closedArena() {
    return new IllegalStateException("the arena of " + account + " is closed");
  }

  // For each arena anew.

  private Extent takeNumbered(long bytes) {
    if (slots == null) {
      makeSlots(); // now, since the close of an arena must not need memory
    }
    Extent extent = allocateExtent(bytes, firstGrowthBytes);
    try {
      extent.number = Lease.EXTENTS.add(extent);
    } finally {
      if (extent.number == 0) {
        freeExtent(extent);
      }
    }
    return extent;
  }

  private Lease makeLease(Extent extent) {
    Lease lease = null;
    try {
      lease = new Lease(extent);
      return lease;
    } finally {
      if (lease == null) {
        freeExtent(extent);
      }
    }
  }

  private @Nullable Extent takeKept() {
    AtomicReferenceArray<@Nullable Extent> all = slots;
    if (all == null) {
      return null;
    }
    for (int probe = 0; probe < Settings.PROBES; probe++) {
      int slot = slot(probe);
      Extent extent = all.get(slot);
      if (extent != null && all.compareAndSet(slot, extent, null)) {
        return extent;
      }
    }
    return null;
  }

  private static int slot(int probe) {
    int stripe = Stripes.ofThread(Stripes.OF_CACHES) + probe;
    return (stripe & (Stripes.OF_CACHES - 1)) * STRIDE;
  }

  /** Takes an extent of at least so many bytes, without a number. */
  Extent allocateExtent(long bytes, long growthBytes) {
    ExtentRequest request = new ExtentRequest(this, bytes, growthBytes);
    allocator.allocate(request);
    return Objects.requireNonNull(request.extent);
  }

  /** A request whose answer is made under the region's lock: what it cannot name is free again. */
  private static final class ExtentRequest extends Request {
    private final ExtentCache cache;
    private final long growthBytes;
    private @Nullable Extent extent;

    ExtentRequest(ExtentCache cache, long bytes, long growthBytes) {
      super(cache.account, bytes, cache.allocator.granuleBytes(bytes));
      this.cache = cache;
      this.growthBytes = growthBytes;
    }

    @Override
    boolean allocateFrom(Region region) {
      if (!region.allocateExtent(this, growthBytes)) {
        return false;
      }
      try {
        extent = new Extent(cache, region, address, address + grantedBytes, isZero);
      } finally {
        if (extent == null) {
          region.extents.free(address, grantedBytes);
        }
      }
      return true;
    }

    /** Adds what lies behind an extent, if it is free; {@code usedBytes} of it are blocks. */
    boolean extendLocked(Extent grown, long usedBytes) {
      Region region = grown.region;
      region.lock.lock();
      try {
        grown.countUsed(region.holdings.openHolding(account), usedBytes);
        if (!region.extendExtent(this, grown.end, growthBytes)) {
          return false;
        }
        grown.extend(grantedBytes, isZero);
        return true;
      } finally {
        region.lock.unlock();
      }
    }
  }

  /**
   * Adds at least so many bytes to an extent, if the memory behind it is free; false if it is not,
   * or a limit stands against it. {@code usedBytes} of it are blocks.
   */
  boolean extend(Extent extent, long bytes, long growthBytes, long usedBytes) {
    StackProbe.check();
    try {
      return new ExtentRequest(this, bytes, growthBytes).extendLocked(extent, usedBytes);
    } finally {
      account.reportSoftLimits();
      allocator.followUp();
    }
  }

  private static boolean isKeepable(Extent first) {
    return first.isClosed && first.next == null && first.bytes() <= Settings.MOST_KEPT_BYTES;
  }

  /**
   * Takes extents back whose lease ended, by its close or since it was forgotten. The net waits
   * while the pool is verified, for which nobody can ask it to be quiet.
   */
  void release(Extent first) {
    if (first.isClosed) {
      releaseAll(first);
    } else {
      synchronized (allocator.upkeepLock) {
        releaseAll(first);
      }
    }
  }

  private void releaseAll(Extent first) {
    if (isKeepable(first) && keepExtent(first)) {
      return;
    }
    for (@Nullable Extent extent = first; extent != null; ) {
      Extent next = extent.next;
      freeExtent(extent);
      extent = next;
    }
  }

  /** Puts an extent into a slot for the next arena; false if there is none. */
  private boolean keepExtent(Extent extent) {
    AtomicReferenceArray<@Nullable Extent> all = Objects.requireNonNull(slots);
    for (int probe = 0; probe < Settings.PROBES; probe++) {
      int slot = slot(probe);
      // A look before the exchange, which costs more: a full slot is left alone.
      if (all.get(slot) == null && all.compareAndSet(slot, null, extent)) {
        return true;
      }
    }
    return false;
  }

  private synchronized void makeSlots() {
    if (slots == null) {
      slots = new AtomicReferenceArray<>(Stripes.OF_CACHES * STRIDE);
    }
  }

  /** Gives an extent back to its region. */
  private void freeExtent(Extent extent) {
    if (extent.number != 0) {
      Lease.EXTENTS.remove(extent.number);
      extent.number = 0;
    }
    Region region = extent.region;
    region.lock.lock();
    try {
      extent.countUsed(Objects.requireNonNull(account.findHolding(region)), 0);
      region.extents.free(extent.from, extent.bytes());
    } finally {
      region.lock.unlock();
    }
  }

  /** Frees kept extents: all, or those that were kept a turn ago already. */
  void age(boolean atOnce) {
    AtomicReferenceArray<@Nullable Extent> all = slots;
    for (int slot = 0; all != null && slot < all.length(); slot += STRIDE) {
      Extent extent = all.get(slot);
      if (extent == null || !all.compareAndSet(slot, extent, null)) {
        continue;
      }
      boolean isDue = atOnce || extent.aged;
      extent.aged = true;
      if (isDue || !all.compareAndSet(slot, null, extent)) {
        freeExtent(extent);
      }
    }
  }

  /** Bytes kept, and how many of them the regions count as used. */
  void countInto(PoolCount count) {
    AtomicReferenceArray<@Nullable Extent> all = slots;
    for (int slot = 0; all != null && slot < all.length(); slot += STRIDE) {
      Extent extent = all.get(slot);
      if (extent != null) {
        count.addKept(account, extent.bytes(), extent.countedBytes);
      }
    }
  }
}
