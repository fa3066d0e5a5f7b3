package dev.offcut.memory;

import org.jspecify.annotations.Nullable;

/**
 * The regions of a pool, by address. One is made when nothing fits into those there are, or when a
 * thread finds all of them locked and there are fewer than processors.
 *
 * <p>Any thread may use it.
 */
final class Regions {
  /** A pool that stays small pays for maps of so much. */
  private static final long FIRST_BYTES = 64 << 20;

  private static final long MORE_BYTES = 1L << 30;

  /** More would hold memory apart that could be joined. */
  private static final int MOST_STRIPES = Math.min(16, Runtime.getRuntime().availableProcessors());

  private final Geometry geometry;
  private final Commitment commitment;
  private final NativeMemory memory;
  private final long limitBytes;

  /** By address; replaced as a whole, under this monitor. */
  private volatile Region[] regions = {};

  private long reservedBytes;

  Regions(Geometry geometry, Commitment commitment, NativeMemory memory, long limitBytes) {
    this.geometry = geometry;
    this.commitment = commitment;
    this.memory = memory;
    this.limitBytes = limitBytes;
  }

  Region[] all() {
    return regions;
  }

  long limitBytes() {
    return limitBytes;
  }

  @Nullable Region findRegion(long address) {
    Region[] all = regions;
    int low = 0;
    int high = all.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Region region = all[middle];
      if (address < region.base) {
        high = middle - 1;
      } else if (address >= region.base + region.bytes) {
        low = middle + 1;
      } else {
        return region;
      }
    }
    return null;
  }

  /** The region of an address that was taken from one. */
  Region regionOf(long address) {
    Region region = findRegion(address);
    if (region == null) {
      throw new IllegalStateException("0x" + Long.toHexString(address) + " is in no region");
    }
    return region;
  }

  /**
   * Asks the regions, beginning with the thread's own, those that are not locked first, until one
   * grants the request or a limit refuses it: whether it was granted.
   */
  boolean allocate(Request request) {
    request.refusedBy = null;
    Region[] all = regions;
    if (all.length == 0) {
      return false;
    }
    int first = all.length == 1 ? 0 : (int) (Thread.currentThread().threadId() % all.length);
    for (int i = 0; i < all.length; i++) {
      Region region = all[(first + i) % all.length];
      if (region.lock.tryLock()) {
        if (allocateLocked(region, request)) {
          return request.refusedBy == null;
        }
      } else if (all.length < MOST_STRIPES && i == all.length - 1) {
        reserveRegion(request.account, 1);
      }
    }
    all = regions;
    for (int i = 0; i < all.length; i++) {
      Region region = all[(first + i) % all.length];
      region.lock.lock();
      if (allocateLocked(region, request)) {
        return request.refusedBy == null;
      }
    }
    return false;
  }

  /** Asks a region that is locked, and unlocks it: whether no other needs to be asked. */
  private static boolean allocateLocked(Region region, Request request) {
    try {
      return request.allocateFrom(region) || request.refusedBy != null;
    } finally {
      region.lock.unlock();
    }
  }

  /** Reserves a region that holds a chunk of so many bytes; false if there may be none. */
  synchronized boolean reserveRegion(Account account, long bytes) {
    account.checkOpen(); // a closed pool gets no region: releaseAll has this monitor, too
    long root = geometry.rootBytes();
    if (bytes > limitBytes - reservedBytes || bytes > Long.MAX_VALUE - root) {
      return false;
    }
    long least = (bytes + root - 1) / root * root;
    long wanted = Math.max(least, Math.max(root, reservedBytes == 0 ? FIRST_BYTES : MORE_BYTES));
    long most = Math.min(limitBytes - reservedBytes, mostBytes(geometry)) / root * root;
    long size = Math.min(wanted, most);
    if (size < least || size == 0) {
      return false;
    }
    Region[] more = new Region[regions.length + 1];
    long base = memory.reserve(size, root);
    while (base == 0 && size > least) {
      size = Math.max(least, size / 2 / root * root);
      base = memory.reserve(size, root);
    }
    if (base == 0) {
      return false;
    }
    insert(more, regions, makeRegion(base, size));
    reservedBytes += size;
    regions = more;
    return true;
  }

  /** Address space whose maps take a quarter of the Java heap, or are as long as arrays can be. */
  private static long mostBytes(Geometry geometry) {
    long granules = Runtime.getRuntime().maxMemory() / 4 / Region.MOST_MAP_BYTES;
    return Math.min(granules, Integer.MAX_VALUE / Geometry.LEAVES) * geometry.granuleBytes();
  }

  /** A region of reserved addresses, or they are given back. */
  private Region makeRegion(long base, long size) {
    boolean made = false;
    try {
      Region region = new Region(geometry, commitment, base, size);
      made = true;
      return region;
    } finally {
      if (!made) {
        memory.release(base, size);
      }
    }
  }

  private static void insert(Region[] into, Region[] ordered, Region region) {
    int at = 0;
    while (at < ordered.length && ordered[at].base < region.base) {
      at++;
    }
    System.arraycopy(ordered, 0, into, 0, at);
    into[at] = region;
    System.arraycopy(ordered, at, into, at + 1, ordered.length - at);
  }

  /**
   * Gives all address space back, once all accounts are closed. It takes each region's lock: who
   * gives pages back has it too, and finds none from then on.
   */
  void releaseAll() {
    for (Region region : takeAll()) {
      region.lock.lock();
      try {
        region.pages.giveUp();
        memory.release(region.base, region.bytes);
      } finally {
        region.lock.unlock();
      }
    }
  }

  private synchronized Region[] takeAll() {
    Region[] all = regions;
    regions = new Region[0];
    reservedBytes = 0;
    return all;
  }
}
