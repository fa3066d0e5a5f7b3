package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Arena} whose memory comes from a pool and goes back to it, whole, at {@link #close}.
 *
 * <pre>{@code
 * try (PoolArena arena = owner.openArena()) {
 *   MemorySegment block = arena.allocate(64);
 * }
 * }</pre>
 *
 * <p>It keeps the contract of {@code Arena}: segments are native, aligned, of exactly the size
 * asked for, zeroed, and dead once the arena is closed. Blocks are multiples of 16 bytes inside.
 *
 * <p><b>Threads.</b> That of {@link Owner#openArena} belongs to the thread that opened it; that of
 * {@link Owner#openSharedArena} to all, and to close it stops every thread for a moment, as it does
 * for {@link Arena#ofShared}.
 *
 * <p><b>Forgotten arenas.</b> When neither the arena nor any of its segments is reachable, the net
 * of {@code dev.offcut.handle} gives its memory back, and reports it as a forgotten {@code
 * PoolArena}. What reads through a raw address is not protected by that.
 *
 * <p><b>Failures.</b> {@link MemoryLimitException} when a limit stands against it, with the arena
 * as it was; {@link IllegalStateException} after close; {@link WrongThreadException}; {@link
 * IllegalArgumentException} for a negative size or an alignment that is no power of two.
 */
public abstract sealed class PoolArena implements Arena permits ConfinedArena, SharedArena {
  /*
   * A line, and how far it is used. `ready` is the one bound that the fast way knows: in the line,
   * zeroed, not closed, and nothing freed that could be used first. For all else it is lower than any
   * address, and the slow way finds out why.
   */
  private static final long NOTHING = -1L << 61; // an address can be taken from it

  private final Owner owner;
  private final Lines lines;
  private final Arena inner;

  /** On the line it took first, by which the net knows all of them. */
  private @Nullable Lease lease;

  /** The line it fills. */
  private @Nullable Line line;

  /** All of that line; not made as long as there is one block. */
  private MemorySegment segment = MemorySegment.NULL;

  /** Whether a segment holds the lease, and with it each of the scope. */
  private boolean isLeased;

  private long from;
  private long pos;
  private long ready = NOTHING;
  private long[] starts = {};

  /** From here on there are zeros. */
  private long dirtyTo;

  /** Bytes zeroed ahead next time. */
  private long ahead = Settings.FIRST_ZEROED_BYTES;

  /** Where the last block of the slow way lies. */
  private MemorySegment foundIn = MemorySegment.NULL;

  private long foundFrom;
  private @Nullable Line foundLine;

  private long takenBytes;
  private @Nullable Earlier earlier;
  private @Nullable FreeBlocks freeBlocks;
  private boolean closed;

  /** A line that is full, and its segment. Not in the line: its table would keep the scope. */
  private record Earlier(Line line, MemorySegment segment, @Nullable Earlier before) {}

  PoolArena(Owner owner, Arena inner) {
    this.owner = owner;
    this.inner = inner;
    lines = owner.lines();
  }

  /** {@link #allocate(long, long)} without zeros: the block holds what was there before. */
  public abstract MemorySegment allocateUninitialized(long bytes, long alignment);

  /**
   * Gives a block back before the arena is closed; this arena may hand its memory out again. The
   * segment can still be accessed, which nothing prevents; so can its slices.
   *
   * @throws DoubleFreeException if it is free already
   * @throws ForeignFreeException if no block of this arena begins there
   */
  public abstract void free(MemorySegment block);

  @Override
  public final MemorySegment.Scope scope() {
    return inner.scope();
  }

  /** Whom its memory is charged to. */
  public final Owner owner() {
    return owner;
  }

  // What follows runs on one thread at a time: the arena's, or the one that has its lock.

  final MemorySegment take(long bytes, long alignment) {
    long unit = Math.max(alignment, Settings.BLOCK_BYTES);
    long at = (pos + unit - 1) & -unit;
    MemorySegment in = segment;
    long base = from;
    if (bytes <= 0 || bytes > ready - at || alignment <= 0 || (alignment & (alignment - 1)) != 0) {
      return found(takeSlowly(bytes, alignment, true), bytes);
    }
    bump(at, bytes);
    return in.asSlice(at - base, bytes);
  }

  final MemorySegment takeUninitialized(long bytes, long alignment) {
    return found(takeSlowly(bytes, alignment, false), bytes);
  }

  private MemorySegment found(long at, long bytes) {
    MemorySegment in = foundIn;
    boolean isAll = at == foundFrom && bytes == in.byteSize();
    return isAll ? in : in.asSlice(at - foundFrom, bytes);
  }

  private void bump(long at, long bytes) {
    int bit = (int) ((at - from) / Settings.BLOCK_BYTES);
    starts[bit / Long.SIZE] |= 1L << bit;
    pos = at + rounded(bytes);
  }

  private static long rounded(long bytes) {
    return (bytes + Settings.BLOCK_BYTES - 1) & -Settings.BLOCK_BYTES;
  }

  private long takeSlowly(long bytes, long alignment, boolean zero) {
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
    if (size <= 0) {
      throw new OutOfMemoryError("a block of " + bytes + " bytes");
    }
    long freed = freeBlocks == null ? 0 : takeFreed(freeBlocks, size, alignment);
    if (freed == 0) {
      long unit = Math.max(alignment, Settings.BLOCK_BYTES);
      return line == null ? takeFirst(bytes, size, unit, zero) : takeAtEnd(size, unit, zero);
    }
    find(freed);
    if (zero) {
      owner.pool().memory().clear(freed, size);
    }
    return freed;
  }

  private long takeFreed(FreeBlocks from, long size, long alignment) {
    Line filling = Objects.requireNonNull(line);
    filling.filledTo = pos;
    long freed = from.take(size, alignment);
    if (freed != 0 || size <= filling.end - pos || !from.isJoinDue(size, takenBytes)) {
      return freed;
    }
    from.join(filling);
    dirtyTo = Math.max(dirtyTo, pos);
    pos = filling.filledTo;
    return from.take(size, alignment);
  }

  /** Of many an arena the first block is the only one: it has a segment of its own. */
  @SuppressWarnings("restricted") // the block is the arena's alone
  private long takeFirst(long bytes, long size, long alignment, boolean zero) {
    begin(size, alignment);
    long at = (from + alignment - 1) & -alignment;
    if (zero && at < dirtyTo) {
      owner.pool().memory().clear(at, Math.min(size, dirtyTo - at));
    }
    bump(at, size);
    foundIn = MemorySegment.ofAddress(at).reinterpret(bytes, inner, lease);
    isLeased = true;
    foundFrom = at;
    return at;
  }

  private long takeAtEnd(long size, long alignment, boolean zero) {
    long at = (pos + alignment - 1) & -alignment;
    Line current = useAll();
    if (size > current.end - at && !grow(current, at, size)) {
      begin(size, alignment);
      useAll();
      at = (from + alignment - 1) & -alignment;
    }
    if (zero) {
      zeroUpTo(at, at + size);
    }
    bump(at, size);
    foundIn = segment;
    foundFrom = from;
    return at;
  }

  /** Makes zeros of what may be anything: the block, and a little more for the next ones. */
  private void zeroUpTo(long at, long end) {
    long lineEnd = Objects.requireNonNull(line).end;
    long zeroed = Math.max(ready, pos);
    if (zeroed < dirtyTo) {
      long to = end;
      if (freeBlocks == null) {
        to = Math.min(Math.max(end, at + ahead), lineEnd);
        ahead = Math.min(2 * ahead, Settings.MOST_ZEROED_BYTES);
      }
      long dirtyEnd = Math.min(to, dirtyTo);
      if (zeroed < dirtyEnd) {
        owner.pool().memory().clear(zeroed, dirtyEnd - zeroed);
      }
      zeroed = to;
    }
    ready = freeBlocks != null ? NOTHING : zeroed < dirtyTo ? zeroed : lineEnd;
  }

  /** Takes the memory behind the line, if it is free. */
  private boolean grow(Line current, long at, long size) {
    long more = at + size - current.end;
    long extended = more < 0 ? Region.NONE : lines.extend(current, more, growth(), pos - from);
    if (extended == Region.NONE) {
      return false;
    }
    takenBytes += extended & ~Region.ZERO;
    if ((extended & Region.ZERO) == 0) {
      dirtyTo = current.end;
    }
    starts = current.starts;
    segment = MemorySegment.NULL;
    useAll();
    return true;
  }

  /** Begins a line: the first one, or another when the memory behind the last is taken. */
  private void begin(long size, long alignment) {
    long bytes = size + (alignment > owner.pool().geometry().leafBytes() ? alignment : 0);
    Line before = line;
    Line taken;
    if (before == null) {
      lease = lines.open(bytes, growth());
      taken = lease.line;
    } else {
      // First what can fail: a line that nobody knows of would be lost.
      Earlier one = new Earlier(before, segment, earlier);
      taken = lines.take(bytes, growth());
      before.filledTo = before.end;
      earlier = one;
      taken.index = before.index + 1;
      Objects.requireNonNull(lease).line.add(taken);
    }
    dirtyTo = taken.dirtyTo;
    taken.closed = false;
    takenBytes += taken.bytes();
    from = taken.from;
    pos = from;
    ready = NOTHING;
    line = taken;
    starts = taken.starts;
    segment = MemorySegment.NULL;
  }

  private long growth() {
    return Math.clamp(takenBytes, owner.firstGrowthBytes(), owner.mostGrowthBytes());
  }

  /** The line it fills, with a segment of all of it. */
  @SuppressWarnings("restricted") // the line is the arena's alone
  private Line useAll() {
    Line current = Objects.requireNonNull(line);
    if (segment == MemorySegment.NULL) {
      MemorySegment all = MemorySegment.ofAddress(current.from);
      // One holds the lease, so that a segment keeps the arena's memory.
      segment = all.reinterpret(current.bytes(), inner, isLeased ? null : lease);
      isLeased = true;
    }
    return current;
  }

  /** Finds the line that an address lies in, or the first one. */
  private void find(long address) {
    if (line != null) {
      useAll();
    }
    foundIn = segment;
    foundFrom = from;
    foundLine = line;
    for (Earlier one = earlier; one != null && !isIn(foundFrom, foundIn, address); ) {
      foundIn = one.segment;
      foundFrom = one.line.from;
      foundLine = one.line;
      one = one.before;
    }
  }

  private static boolean isIn(long from, MemorySegment segment, long address) {
    return address >= from && address < from + segment.byteSize();
  }

  final void give(MemorySegment block) {
    if (closed) {
      throw new IllegalStateException("the arena of " + owner + " is closed");
    }
    long address = block.isNative() ? block.address() : 0;
    find(address);
    if (!isIn(foundFrom, foundIn, address)) {
      throw FreeBlocks.foreign(address);
    }
    if (freeBlocks == null) {
      freeBlocks = new FreeBlocks();
    }
    ready = NOTHING;
    Line in = Objects.requireNonNull(foundLine);
    if (in == line) {
      in.filledTo = pos;
    }
    freeBlocks.put(in, address);
  }

  /** Ends the scope first, which throws if the arena may not be closed now; then gives all back. */
  final void end() {
    inner.close();
    closed = true;
    Lease ended = lease;
    if (ended == null) {
      return;
    }
    Line only = line;
    if (only != null && earlier == null) {
      boolean zeroToTheEnd = ready == only.end;
      only.settle(pos, zeroToTheEnd ? pos : Math.max(dirtyTo, pos));
    }
    ready = NOTHING;
    line = null;
    lease = null;
    lines.close(ended);
  }
}
