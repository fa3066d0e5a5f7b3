package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Arena} that takes its memory from a pool and gives all of it back at {@link #close}.
 *
 * <pre>{@code
 * try (PoolArena arena = owner.openArena()) {
 *   MemorySegment block = arena.allocate(64);
 * }
 * }</pre>
 *
 * <p>It keeps the contract of {@code Arena}: its segments are native, aligned, zeroed and of
 * exactly the requested size, and they end with the arena. Internally, the size of a block is
 * rounded up to a multiple of 16 bytes.
 *
 * <p><b>Threads.</b> An arena from {@link Owner#openArena} belongs to the thread that opened it.
 * Any thread may use an arena from {@link Owner#openSharedArena}; its close stops every thread for
 * a moment, as the close of an {@link Arena#ofShared} does.
 *
 * <p><b>Forgotten arenas.</b> If neither the arena nor any of its segments is reachable, the safety
 * net of {@code dev.offcut.handle} gives the memory back and reports a forgotten {@code PoolArena}.
 * A raw address does not keep the arena reachable.
 *
 * <p><b>Failures.</b> {@link MemoryLimitException} if a request would exceed a limit; the arena is
 * unchanged. {@link ClosedOwnerException} or {@link ClosedPoolException} if the arena needs more
 * memory and its owner or pool is closed. {@link IllegalStateException} if the arena is closed.
 * {@link WrongThreadException} if the arena belongs to another thread. {@link IllegalSizeException}
 * for a negative size, or an alignment that is no power of two.
 */
public abstract sealed class PoolArena implements Arena
    permits PoolArena.Confined, PoolArena.Shared {
  /*
   * The arena fills one extent from its start to its end. The fast path checks one bound, `ready`.
   * Below it, the memory lies in the extent and is zeroed, the arena is open, and no freed block has to
   * be reused first. If one of these does not hold, `ready` is lower than any address, and the slow
   * path finds out which.
   */
  private static final long NOTHING = -1L << 61; // subtracting an address does not overflow

  private final Owner owner;
  private final Arena inner;

  /** The lease on the arena's first extent; through it the net finds all extents. */
  private @Nullable Lease lease;

  /** The extent that is being filled. */
  private @Nullable Extent extent;

  /** The part of the extent that existed when this segment was made; NULL for a single block. */
  private MemorySegment segment = MemorySegment.NULL;

  /** Whether a segment of the scope holds the lease; then every segment of the scope does. */
  private boolean isLeased;

  private long from;
  private long pos;
  private long ready = NOTHING;

  /** Memory from this address on is zero. */
  private long dirtyTo;

  /** How many bytes the next zeroing clears ahead. */
  private long ahead = Settings.FIRST_ZEROED_BYTES;

  private long takenBytes;
  private @Nullable Earlier earlier;
  private @Nullable FreeBlocks freeBlocks;
  private boolean closed;

  /**
   * A full extent with its segment. An extent has no such field, since its table would keep the
   * scope.
   */
  private record Earlier(Extent extent, MemorySegment segment, @Nullable Earlier before) {}

  PoolArena(Owner owner, Arena inner) {
    this.owner = owner;
    this.inner = inner;
  }

  /**
   * Allocates a block as {@link #allocate(long, long)} does, but does not zero it: its content is
   * undefined.
   *
   * @param bytes the size of the segment, 0 or more
   * @param alignment in bytes, a power of two
   * @return the segment, which ends with the arena
   * @throws IllegalSizeException if {@code bytes} is negative, or the alignment is no power of two
   * @throws MemoryLimitException if the request would exceed a limit; nothing was taken
   */
  public abstract MemorySegment allocateUninitialized(long bytes, long alignment);

  /**
   * Frees a block before the arena is closed, so that this arena can hand out its memory again. The
   * segment and its slices stay accessible: do not use them any more.
   *
   * @param block a segment that begins where the block begins
   * @throws DoubleFreeException if the block is free already
   * @throws ForeignFreeException if no block of this arena begins there
   */
  public abstract void free(MemorySegment block);

  @Override
  public final MemorySegment.Scope scope() {
    return inner.scope();
  }

  /** {@return the owner that this arena's memory is charged to} */
  public final Owner owner() {
    return owner;
  }

  // The methods below run on one thread at a time: the arena's thread, or the thread with its lock.

  final MemorySegment takeBlock(long bytes, long alignment) {
    long unit = Math.max(alignment, Settings.BLOCK_BYTES);
    long at = (pos + unit - 1) & -unit;
    if (bytes <= 0 || bytes > ready - at || alignment <= 0 || (alignment & (alignment - 1)) != 0) {
      return takeSlowly(bytes, alignment, true);
    }
    bump(at, bytes);
    return segment.asSlice(at - from, bytes);
  }

  final MemorySegment takeBlockUninitialized(long bytes, long alignment) {
    return takeSlowly(bytes, alignment, false);
  }

  private void bump(long at, long bytes) {
    int bit = (int) ((at - from) / Settings.BLOCK_BYTES);
    Objects.requireNonNull(extent).starts[bit / Long.SIZE] |= 1L << bit;
    pos = at + rounded(bytes);
  }

  private static long rounded(long bytes) {
    return (bytes + Settings.BLOCK_BYTES - 1) & -Settings.BLOCK_BYTES;
  }

  private MemorySegment takeSlowly(long bytes, long alignment, boolean zero) {
    if (closed) {
      throw new IllegalStateException("the arena of " + owner + " is closed");
    }
    if (bytes < 0) {
      throw new IllegalSizeException("a block of " + bytes + " bytes: ask for 0 or more");
    }
    if (alignment <= 0 || Long.bitCount(alignment) != 1) {
      throw new IllegalSizeException(
          "an alignment of " + alignment + ": give a power of two, 1 or more");
    }
    long size = rounded(Math.max(bytes, 1)); // a block of nothing has an address of its own
    if (size <= 0 || size + alignment < 0) {
      throw owner.extents().allocator.tooLarge(owner, bytes);
    }
    long freed = freeBlocks == null ? 0 : takeFreed(freeBlocks, size, alignment);
    if (freed == 0) {
      long unit = Math.max(alignment, Settings.BLOCK_BYTES);
      return extent == null
          ? takeFirst(bytes, size, unit, zero)
          : takeAtEnd(bytes, size, unit, zero);
    }
    if (zero) {
      owner.extents().allocator.memory.clear(freed, size);
    }
    Earlier in = earlierOf(freed);
    return in == null
        ? sliceOf(wholeSegment(), freed - from, bytes)
        : sliceOf(in.segment, freed - in.extent.from, bytes);
  }

  private static MemorySegment sliceOf(MemorySegment from, long offset, long bytes) {
    return offset == 0 && bytes == from.byteSize() ? from : from.asSlice(offset, bytes);
  }

  private long takeFreed(FreeBlocks from, long size, long alignment) {
    Extent filling = Objects.requireNonNull(extent);
    filling.filledTo = pos;
    long freed = from.takeBlock(size, alignment);
    if (freed != 0 || size <= filling.end - pos || !from.isJoinDue(size, takenBytes)) {
      return freed;
    }
    from.joinBlocks(filling);
    dirtyTo = Math.max(dirtyTo, pos);
    pos = filling.filledTo;
    return from.takeBlock(size, alignment);
  }

  /** Of many an arena the first block is the only one: it has a segment of its own. */
  @SuppressWarnings("restricted") // the block is the arena's alone
  private MemorySegment takeFirst(long bytes, long size, long alignment, boolean zero) {
    Lease opened = owner.extents().openLease(extentBytes(size, alignment));
    lease = opened;
    fillExtent(opened.extent);
    long at = (from + alignment - 1) & -alignment;
    if (zero && at < dirtyTo) {
      owner.extents().allocator.memory.clear(at, Math.min(size, dirtyTo - at));
    }
    bump(at, size);
    MemorySegment block = MemorySegment.ofAddress(at).reinterpret(bytes, inner, opened);
    isLeased = true;
    return block;
  }

  private MemorySegment takeAtEnd(long bytes, long size, long alignment, boolean zero) {
    long at = (pos + alignment - 1) & -alignment;
    Extent current = Objects.requireNonNull(extent);
    wholeSegment();
    if (size > current.end - at && !growExtent(current, at, size)) {
      beginExtent(current, size, alignment);
      wholeSegment();
      at = (from + alignment - 1) & -alignment;
    }
    if (zero) {
      zeroUpTo(at, at + size);
    }
    bump(at, size);
    return sliceOf(segment, at - from, bytes);
  }

  /** Makes zeros of what may be anything: the block, and a little more for the next ones. */
  private void zeroUpTo(long at, long end) {
    long extentEnd = Objects.requireNonNull(extent).end;
    long zeroed = Math.max(ready, pos);
    if (zeroed < dirtyTo) {
      long to = end;
      if (freeBlocks == null) {
        to = Math.min(Math.max(end, at + ahead), extentEnd);
        ahead = Math.min(2 * ahead, Settings.MOST_ZEROED_BYTES);
      }
      long dirtyEnd = Math.min(to, dirtyTo);
      if (zeroed < dirtyEnd) {
        owner.extents().allocator.memory.clear(zeroed, dirtyEnd - zeroed);
      }
      zeroed = to;
    }
    ready = freeBlocks != null ? NOTHING : zeroed < dirtyTo ? zeroed : extentEnd;
  }

  /** Takes the memory behind the extent, if it is free. */
  private boolean growExtent(Extent current, long at, long size) {
    long more = at + size - current.end;
    long before = current.end;
    if (more < 0 || !owner.extents().extend(current, more, growth(), pos - from)) {
      return false;
    }
    takenBytes += current.end - before;
    dirtyTo = Math.max(dirtyTo, current.dirtyTo);
    wholeSegment();
    return true;
  }

  /** Begins another extent, when the memory behind the last is taken. */
  private void beginExtent(Extent before, long size, long alignment) {
    // First what can fail: an extent that nobody knows of would be lost.
    Earlier one = new Earlier(before, segment, earlier);
    Extent taken = owner.extents().allocateExtent(extentBytes(size, alignment), growth());
    before.filledTo = before.end;
    earlier = one;
    taken.index = before.index + 1;
    Objects.requireNonNull(lease).extent.addLater(taken);
    segment = MemorySegment.NULL;
    ready = NOTHING;
    fillExtent(taken);
  }

  private long extentBytes(long size, long alignment) {
    boolean isWide =
        alignment > Settings.BLOCK_BYTES
            && alignment > owner.extents().allocator.geometry.leafBytes();
    return isWide ? size + alignment : size;
  }

  private void fillExtent(Extent taken) {
    dirtyTo = taken.dirtyTo;
    taken.state = Extent.OPEN;
    takenBytes += taken.bytes();
    from = taken.from;
    pos = from;
    extent = taken;
  }

  private long growth() {
    return Math.clamp(
        takenBytes, owner.extents().firstGrowthBytes, owner.extents().mostGrowthBytes);
  }

  /**
   * All of the extent it fills, made when it is asked for first and when the extent has grown.
   * Until then the one before stays, which ends where it did: it holds what is ready.
   */
  @SuppressWarnings("restricted") // the extent is the arena's alone
  private MemorySegment wholeSegment() {
    Extent current = Objects.requireNonNull(extent);
    if (segment.byteSize() != current.bytes()) {
      MemorySegment unbound = MemorySegment.ofAddress(current.from);
      // One holds the lease, so that a segment keeps the arena's memory.
      segment = unbound.reinterpret(current.bytes(), inner, isLeased ? null : lease);
      isLeased = true;
    }
    return segment;
  }

  /** The earlier extent that an address lies in, or null. */
  private @Nullable Earlier earlierOf(long address) {
    Earlier one = earlier;
    while (one != null && !one.extent.contains(address)) {
      one = one.before;
    }
    return one;
  }

  final void freeBlock(MemorySegment block) {
    if (closed) {
      throw new IllegalStateException("the arena of " + owner + " is closed");
    }
    long address = block.isNative() ? block.address() : 0;
    Earlier before = earlierOf(address);
    Extent in = before == null ? extent : before.extent;
    if (in == null || !in.contains(address)) {
      throw FreeBlocks.foreign(address);
    }
    if (freeBlocks == null) {
      freeBlocks = new FreeBlocks();
    }
    ready = NOTHING;
    if (in == extent) {
      in.filledTo = pos;
    }
    freeBlocks.addBlock(in, address);
  }

  /** Ends the scope first, which throws if the arena may not be closed now; then gives all back. */
  final void closeScope() {
    try {
      inner.close();
    } catch (Throwable e) {
      if (!inner.scope().isAlive()) {
        giveBackExtents(); // what threw is a cleanup action of the scope, which is closed all the
        // same
      }
      throw e;
    }
    giveBackExtents();
  }

  private void giveBackExtents() {
    closed = true;
    Lease ended = lease;
    if (ended == null) {
      return;
    }
    Extent first = ended.extent;
    if (earlier == null) {
      boolean zeroToTheEnd = ready == first.end;
      first.makeReusable(pos, zeroToTheEnd ? pos : Math.max(dirtyTo, pos));
    } else {
      first.state = Extent.CLOSED;
    }
    ready = NOTHING;
    lease = null; // a closed arena that somebody keeps must not keep it for the next
    owner.extents().closeLease(ended);
  }

  /** The arena of one thread. */
  static final class Confined extends PoolArena {
    private final Thread thread = Thread.currentThread();

    Confined(Owner owner) {
      super(owner, Arena.ofConfined());
    }

    @Override
    public MemorySegment allocate(long bytes, long alignment) {
      checkThread();
      return takeBlock(bytes, alignment);
    }

    @Override
    public MemorySegment allocateUninitialized(long bytes, long alignment) {
      checkThread();
      return takeBlockUninitialized(bytes, alignment);
    }

    @Override
    public void free(MemorySegment block) {
      checkThread();
      freeBlock(block);
    }

    @Override
    public void close() {
      closeScope();
    }

    private void checkThread() {
      if (Thread.currentThread() != thread) {
        throw new WrongThreadException("the arena belongs to " + thread);
      }
    }
  }

  /**
   * The arena of all threads: one at a time takes and gives blocks. Its lock is a monitor, which
   * the JVM lets go of wherever a stack ends.
   */
  static final class Shared extends PoolArena {
    private final Object lock = new Object();

    Shared(Owner owner) {
      super(owner, Arena.ofShared());
    }

    @Override
    public MemorySegment allocate(long bytes, long alignment) {
      synchronized (lock) {
        return takeBlock(bytes, alignment);
      }
    }

    @Override
    public MemorySegment allocateUninitialized(long bytes, long alignment) {
      synchronized (lock) {
        return takeBlockUninitialized(bytes, alignment);
      }
    }

    @Override
    public void free(MemorySegment block) {
      synchronized (lock) {
        freeBlock(block);
      }
    }

    @Override
    public void close() {
      synchronized (lock) {
        closeScope();
      }
    }
  }
}
