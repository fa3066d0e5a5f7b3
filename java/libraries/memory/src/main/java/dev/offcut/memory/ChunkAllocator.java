package dev.offcut.memory;

import org.jspecify.annotations.Nullable;

/**
 * Takes chunks out of the regions of a pool, and gives them back: for the program, for heaps and
 * for arenas.
 *
 * <p>A request asks region after region, then for a new one, then for what caches and heaps keep.
 * There is no new one for a request that a limit stands against: what is refused takes nothing. Any
 * thread may use it.
 */
final class ChunkAllocator {
  final Geometry geometry;
  final NativeMemory memory;
  final Commitment commitment;
  final Regions regions;

  /**
   * Held by whoever looks at the whole pool or ends a part of it: a turn of the decay, a check, a
   * close, and the net. One at a time: what one has taken out and not yet freed looks lost to
   * another.
   */
  final Object upkeepLock;

  private final String pool;
  private final Upkeep upkeep;

  ChunkAllocator(
      String pool,
      Geometry geometry,
      Commitment commitment,
      NativeMemory memory,
      long addressSpaceBytes,
      Object upkeepLock,
      Upkeep upkeep) {
    this.geometry = geometry;
    this.memory = memory;
    this.commitment = commitment;
    this.upkeepLock = upkeepLock;
    this.upkeep = upkeep;
    this.pool = pool;
    regions = new Regions(geometry, commitment, memory, addressSpaceBytes);
  }

  // Allocating.

  /** Takes a chunk for the program, which may free it. */
  Request allocateForProgram(Account account, long bytes) {
    if (bytes <= 0) {
      throw new IllegalSizeException(
          "a chunk of %s bytes for %s of pool %s: ask for 1 or more"
              .formatted(bytes, account, pool));
    }
    long chunkBytes = bytes > geometry.rootBytes() ? bytes : geometry.bytes(geometry.level(bytes));
    return allocate(
        new Request(account, bytes, granuleBytes(chunkBytes)) {
          @Override
          boolean allocateFrom(Region region) {
            return region.allocateForProgram(this);
          }
        });
  }

  /** Takes a chunk of a level: its address. */
  long allocateLevel(Account account, int level) {
    long bytes = geometry.bytes(level);
    return allocate(
            new Request(account, bytes, granuleBytes(bytes)) {
              @Override
              boolean allocateFrom(Region region) {
                return region.allocateLevel(this, level);
              }
            })
        .address;
  }

  /** Takes a chunk that is cut to whole granules. */
  Request allocateGranules(Account account, long bytes) {
    return allocate(
        new Request(account, bytes, granuleBytes(bytes)) {
          @Override
          boolean allocateFrom(Region region) {
            return region.allocateGranules(this);
          }
        });
  }

  /** The bytes of a chunk that is cut to size: the next multiple of a granule that a long holds. */
  long granuleBytes(long bytes) {
    long last = geometry.granuleBytes() - 1L;
    return Math.min(bytes, Long.MAX_VALUE - last) + last & ~last;
  }

  /**
   * Grants a request, or throws; then it has taken nothing.
   *
   * @throws MemoryLimitException if a limit stands against it
   * @throws ClosedPoolException if the pool is closed, also by another thread meanwhile
   */
  <R extends Request> R allocate(R request) {
    request.account.checkOpen();
    StackProbe.check();
    if (!regions.allocate(request) && !growAndAllocate(request)) {
      upkeep.reclaim();
      if (!regions.allocate(request)
          && !growAndAllocate(request)
          && !makeRoomAndAllocate(request)) {
        request.account.checkOpen();
        throw refuse(request.account, request.bytes, request.chargeBytes, findLimit(request));
      }
    }
    request.account.reportSoftLimits();
    followUp();
    return request;
  }

  private boolean growAndAllocate(Request request) {
    return findLimit(request) == null
        && regions.reserveRegion(request.account, request.bytes)
        && regions.allocate(request);
  }

  private boolean makeRoomAndAllocate(Request request) {
    return makeRoom(findLimit(request), request.chargeBytes)
        && (regions.allocate(request) || growAndAllocate(request));
  }

  /** Whether the budget stood against a request, and has room for it by now. */
  private boolean makeRoom(@Nullable Account limited, long charge) {
    Budget budget = refusingBudget(limited, charge);
    return budget != null && budget.makeRoom(charge);
  }

  /** The budget, if it is what stands against a charge, or null. */
  private @Nullable Budget refusingBudget(@Nullable Account limited, long charge) {
    return limited != null && limited.isRoot() && commitment.isWithinLimit(charge)
        ? commitment.budget()
        : null;
  }

  /** What a budget has to do after a request, whether it was granted or not. Throws nothing. */
  void followUp() {
    Budget budget = commitment.budget();
    if (budget != null) {
      budget.followUp();
    }
  }

  /** Whose limit refused a request, or would refuse it now, or null. */
  private @Nullable Account findLimit(Request request) {
    return request.refusedBy != null
        ? request.refusedBy
        : findLimit(request.account, request.chargeBytes);
  }

  private @Nullable Account findLimit(Account account, long charge) {
    Account limited = account.findLimit(charge);
    return limited == null && !commitment.hasRoom(charge) ? account.root() : limited;
  }

  /** Charges memory that others hold, or throws; then nothing was charged. */
  void chargeExternal(Account account, long bytes) {
    account.checkOpen();
    StackProbe.check();
    Account limited = tryChargeExternal(account, bytes);
    if (limited != null) {
      upkeep.reclaim();
      limited = tryChargeExternal(account, bytes);
    }
    if (limited != null && makeRoom(limited, bytes)) {
      limited = tryChargeExternal(account, bytes);
    }
    if (limited != null) {
      throw refuse(account, bytes, bytes, limited);
    }
    account.reportSoftLimits();
    followUp();
  }

  /**
   * Under the monitor in which the account is closed: the close sees the charge, or it is refused.
   */
  private @Nullable Account tryChargeExternal(Account account, long bytes) {
    synchronized (account) {
      account.checkOpen();
      Account limited = findLimit(account, bytes); // before the charge, which could pass a long
      if (limited == null) {
        limited = account.charge(bytes);
        if (limited == null && !commitment.commit(bytes)) {
          account.discharge(bytes);
          limited = account.root();
        }
        if (limited == null) {
          account.addExternal(bytes);
          commitment.addExternal(bytes);
        }
      }
      return limited;
    }
  }

  void dischargeExternal(Account account, long bytes) {
    account.addExternal(-bytes);
    commitment.addExternal(-bytes);
    commitment.uncommit(bytes);
    account.discharge(bytes);
  }

  private MemoryLimitException refuse(
      Account account, long bytes, long charge, @Nullable Account limited) {
    Budget budget = refusingBudget(limited, charge);
    MemoryLimitException refusal =
        budget == null ? refusal(account, bytes, limited) : refusalOf(budget, account, bytes);
    upkeep.refused(account, refusal);
    return refusal;
  }

  private MemoryLimitException refusalOf(Budget budget, Account account, long bytes) {
    return new MemoryLimitException(
        bytes + " bytes for " + account + " of pool " + pool + ": " + budget.describeRefusal(),
        budget.name(),
        bytes,
        budget.limitBytes(),
        upkeep.snapshot());
  }

  /** The refusal of a block for which no long has room. */
  MemoryLimitException tooLarge(Account account, long bytes) {
    return refusal(account, bytes, null);
  }

  private MemoryLimitException refusal(Account account, long bytes, @Nullable Account limited) {
    String what = bytes + " bytes for " + account + " of pool " + pool + ": ";
    if (limited == null) {
      return new MemoryLimitException(
          what
              + "no free chunk is large enough, and the pool cannot reserve more address space: its"
              + " limit is reached, the system refused, or the pool's maps would take more than a"
              + " quarter of the Java heap",
          pool,
          bytes,
          regions.limitBytes(),
          upkeep.snapshot());
    }
    boolean all = limited.isRoot();
    long limit = all ? commitment.limitBytes() : limited.hardLimitBytes();
    return new MemoryLimitException(
        what
            + (all ? "the limit of the pool, " : "the limit of " + limited + ", ")
            + limit
            + " bytes, would be exceeded",
        all ? pool : limited.path(),
        bytes,
        limit,
        upkeep.snapshot());
  }

  // Freeing.

  /** Frees a chunk of the program: {@link MemoryPool#freeChunk}. */
  void freeForProgram(long address) {
    StackProbe.check();
    Region region = regions.findRegion(address);
    if (region == null) {
      throw new ForeignFreeException(
          hex(address) + " is not in pool " + pool + ": nothing was freed");
    }
    region.lock.lock();
    try {
      if (region.maps.isOfProgram(address)) {
        region.freeChunk(address);
        return;
      }
      if (region.maps.isFree(address)) {
        throw new DoubleFreeException(hex(address) + " of pool " + pool + " is free already");
      }
    } finally {
      region.lock.unlock();
    }
    throw new ForeignFreeException(
        hex(address)
            + " begins no chunk that pool "
            + pool
            + " handed out: give the address that allocateChunk returned; blocks go back to the"
            + " arena or heap they are from");
  }

  void freeChunk(long address) {
    Region region = regions.regionOf(address);
    region.lock.lock();
    try {
      region.freeChunk(address);
    } finally {
      region.lock.unlock();
    }
  }

  // Looking.

  /** The bytes of a chunk of the program: {@link MemoryPool#chunkBytes}. */
  long chunkBytes(long address) {
    Region region = regions.findRegion(address);
    if (region != null) {
      region.lock.lock();
      try {
        if (region.maps.isOfProgram(address)) {
          return region.maps.chunkBytes(address);
        }
      } finally {
        region.lock.unlock();
      }
    }
    throw new ForeignFreeException(
        hex(address) + " begins no chunk that pool " + pool + " handed out: it has no size");
  }

  boolean isFree(long address) {
    Region region = regions.findRegion(address);
    if (region == null) {
      return false;
    }
    region.lock.lock();
    try {
      return region.maps.isFree(address);
    } finally {
      region.lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "pool " + pool;
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }
}
