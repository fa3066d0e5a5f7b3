package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of an arena in extents of its own, which the net watches through a {@link Lease}.
 *
 * <p>Used by one thread at a time: the arena's thread, or the thread with its lock.
 */
final class ArenaBlocks {
  /*
   * The arena fills one extent from its start to its end. The fast path checks one bound, `ready`.
   * Below it, the memory lies in the extent and is zeroed, and the arena is open. If one of these does
   * not hold, `ready` is lower than any address, and the slow path finds out which.
   */
  private static final long NOTHING = -1L << 61; // subtracting an address does not overflow

  private final ExtentCache extents;
  private final Arena inner;

  /** The lease on the arena's first extent; through it the net finds all extents. */
  private @Nullable Lease lease;

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
  private boolean closed;

  ArenaBlocks(ExtentCache extents, Arena inner) {
    this.extents = extents;
    this.inner = inner;
  }

  MemorySegment takeBlock(long bytes, long alignment) {
    long unit = Math.max(alignment, Settings.BLOCK_BYTES);
    long at = (pos + unit - 1) & -unit;
    if (bytes <= 0 || bytes > ready - at || alignment <= 0 || (alignment & (alignment - 1)) != 0) {
      return takeSlowly(bytes, alignment, true);
    }
    pos = at + rounded(bytes);
    return segment.asSlice(at - from, bytes);
  }

  MemorySegment takeBlockUninitialized(long bytes, long alignment) {
    return takeSlowly(bytes, alignment, false);
  }

  private static long rounded(long bytes) {
    return (bytes + Settings.BLOCK_BYTES - 1) & -Settings.BLOCK_BYTES;
  }

  private MemorySegment takeSlowly(long bytes, long alignment, boolean zero) {
    if (closed) {
      throw extents.closedArena();
    }
    long size = extents.blockBytes(bytes, alignment);
    long unit = Math.max(alignment, Settings.BLOCK_BYTES);
    return extent == null ? takeFirst(bytes, size, unit, zero) : takeAtEnd(bytes, size, unit, zero);
  }

  private static MemorySegment sliceOf(MemorySegment from, long offset, long bytes) {
    return offset == 0 && bytes == from.byteSize() ? from : from.asSlice(offset, bytes);
  }

  /** Of many an arena the first block is the only one: it has a segment of its own. */
  @SuppressWarnings("restricted") // the block is the arena's alone
  private MemorySegment takeFirst(long bytes, long size, long alignment, boolean zero) {
    Lease opened = extents.openLease(extentBytes(size, alignment));
    lease = opened;
    fillExtent(opened.extent);
    long at = (from + alignment - 1) & -alignment;
    if (zero && at < dirtyTo) {
      extents.allocator.memory.clear(at, Math.min(size, dirtyTo - at));
    }
    pos = at + size;
    MemorySegment block = MemorySegment.ofAddress(at).reinterpret(bytes, inner, opened);
    isLeased = true;
    return block;
  }

  private MemorySegment takeAtEnd(long bytes, long size, long alignment, boolean zero) {
    long at = (pos + alignment - 1) & -alignment;
    Extent current = Objects.requireNonNull(extent);
    wholeSegment();
    if (size > current.end - at && !growExtent(current, at, size)) {
      beginExtent(size, alignment);
      wholeSegment();
      at = (from + alignment - 1) & -alignment;
    }
    if (zero) {
      zeroUpTo(at, at + size);
    }
    pos = at + size;
    return sliceOf(segment, at - from, bytes);
  }

  /** Makes zeros of what may be anything: the block, and a little more for the next ones. */
  private void zeroUpTo(long at, long end) {
    long extentEnd = Objects.requireNonNull(extent).end;
    long zeroed = Math.max(ready, pos);
    if (zeroed < dirtyTo) {
      long to = Math.min(Math.max(end, at + ahead), extentEnd);
      ahead = Math.min(2 * ahead, Settings.MOST_ZEROED_BYTES);
      extents.allocator.memory.clear(zeroed, Math.min(to, dirtyTo) - zeroed);
      zeroed = to;
    }
    ready = zeroed < dirtyTo ? zeroed : extentEnd;
  }

  /** Takes the memory behind the extent, if it is free. */
  private boolean growExtent(Extent current, long at, long size) {
    long more = at + size - current.end;
    long before = current.end;
    if (more < 0 || !extents.extend(current, more, growth(), pos - from)) {
      return false;
    }
    takenBytes += current.end - before;
    dirtyTo = Math.max(dirtyTo, current.dirtyTo);
    wholeSegment();
    return true;
  }

  /** Begins another extent, when the memory behind the last is taken. */
  private void beginExtent(long size, long alignment) {
    Extent taken = extents.allocateExtent(extentBytes(size, alignment), growth());
    Objects.requireNonNull(lease).extent.addLater(taken);
    segment = MemorySegment.NULL;
    ready = NOTHING;
    fillExtent(taken);
  }

  private long extentBytes(long size, long alignment) {
    boolean isWide =
        alignment > Settings.BLOCK_BYTES && alignment > extents.allocator.geometry.leafBytes();
    return isWide ? size + alignment : size;
  }

  private void fillExtent(Extent taken) {
    dirtyTo = taken.dirtyTo;
    taken.isClosed = false;
    takenBytes += taken.bytes();
    from = taken.from;
    pos = from;
    extent = taken;
  }

  private long growth() {
    return Math.clamp(takenBytes, extents.firstGrowthBytes, extents.mostGrowthBytes);
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

  /** Ends the scope first, which throws if the arena may not be closed now; then gives all back. */
  void closeScope() {
    StackProbe.check();
    try {
      inner.close();
    } finally { // a cleanup action of the scope may throw, when the scope has ended
      if (!inner.scope().isAlive()) {
        giveBackExtents();
      }
    }
  }

  private void giveBackExtents() {
    closed = true;
    Lease ended = lease;
    if (ended == null) {
      return;
    }
    Extent first = ended.extent;
    first.dirtyTo = ready == first.end ? pos : Math.max(dirtyTo, pos);
    first.isClosed = true;
    ready = NOTHING;
    lease = null;
    ended.close(); // which gives the extents back
  }
}
