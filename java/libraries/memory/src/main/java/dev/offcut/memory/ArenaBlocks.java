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
   * Below it, the memory lies in the extent and is zeroed, the arena is open, and no freed block has to
   * be reused first. If one of these does not hold, `ready` is lower than any address, and the slow
   * path finds out which.
   */
  private static final long NOTHING = -1L << 61; // subtracting an address does not overflow

  private final ExtentCache extents;
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
    bump(at, bytes);
    return segment.asSlice(at - from, bytes);
  }

  MemorySegment takeBlockUninitialized(long bytes, long alignment) {
    return takeSlowly(bytes, alignment, false);
  }

  private void bump(long at, long bytes) {
    Objects.requireNonNull(extent).addStart(at);
    pos = at + rounded(bytes);
  }

  private static long rounded(long bytes) {
    return (bytes + Settings.BLOCK_BYTES - 1) & -Settings.BLOCK_BYTES;
  }

  private MemorySegment takeSlowly(long bytes, long alignment, boolean zero) {
    if (closed) {
      throw extents.closedArena();
    }
    long size = extents.blockBytes(bytes, alignment);
    long freed = freeBlocks == null ? 0 : takeFreed(freeBlocks, size, alignment);
    if (freed == 0) {
      long unit = Math.max(alignment, Settings.BLOCK_BYTES);
      return extent == null
          ? takeFirst(bytes, size, unit, zero)
          : takeAtEnd(bytes, size, unit, zero);
    }
    if (zero) {
      extents.allocator.memory.clear(freed, size);
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
    Lease opened = extents.openLease(extentBytes(size, alignment));
    lease = opened;
    fillExtent(opened.extent);
    long at = (from + alignment - 1) & -alignment;
    if (zero && at < dirtyTo) {
      extents.allocator.memory.clear(at, Math.min(size, dirtyTo - at));
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
    boolean isFull = at - from >= extents.mostFilledBytes;
    if (isFull || (size > current.end - at && !growExtent(current, at, size))) {
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
        extents.allocator.memory.clear(zeroed, dirtyEnd - zeroed);
      }
      zeroed = to;
    }
    long zeroTo = zeroed < dirtyTo ? zeroed : extentEnd;
    ready = freeBlocks != null ? NOTHING : Math.min(zeroTo, from + extents.mostFilledBytes);
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
  private void beginExtent(Extent before, long size, long alignment) {
    // First what can fail: an extent that nobody knows of would be lost.
    Earlier one = new Earlier(before, segment, earlier);
    Extent taken = extents.allocateExtent(extentBytes(size, alignment), growth());
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
        alignment > Settings.BLOCK_BYTES && alignment > extents.allocator.geometry.leafBytes();
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

  /** The earlier extent that an address lies in, or null. */
  private @Nullable Earlier earlierOf(long address) {
    Earlier one = earlier;
    while (one != null && !one.extent.contains(address)) {
      one = one.before;
    }
    return one;
  }

  void freeBlock(MemorySegment block) {
    StackProbe.check();
    if (closed) {
      throw extents.closedArena();
    }
    long address = block.isNative() ? block.address() : 0;
    Earlier before = earlierOf(address);
    Extent in = before == null ? extent : before.extent;
    if (in == null || !in.contains(address)) {
      throw FreeBlocks.foreign(address);
    }
    if (freeBlocks == null) {
      freeBlocks = new FreeBlocks(extents.mostFilledBytes);
    }
    ready = NOTHING;
    if (in == extent) {
      in.filledTo = pos;
    }
    freeBlocks.addBlock(in, address);
  }

  /** Ends the scope first, which throws if the arena may not be closed now; then gives all back. */
  void closeScope() {
    StackProbe.check();
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
    lease = null;
    ended.close(); // which gives the extents back
  }
}
