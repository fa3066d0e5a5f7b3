package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
 * A raw address does not keep the arena reachable. Of the confined arenas that a living thread
 * forgets, one per owner is not found: its memory, at most 128 KiB, comes back after the thread has
 * ended. With a detection level that records call sites, each is found.
 *
 * <p><b>Failures.</b> {@link MemoryLimitException} if a request would exceed a limit; the arena is
 * unchanged. {@link ClosedOwnerException} or {@link ClosedPoolException} if the arena needs more
 * memory and its owner or pool is closed. {@link IllegalStateException} if the arena is closed.
 * {@link WrongThreadException} if the arena belongs to another thread. {@link IllegalSizeException}
 * for a negative size, or an alignment that is no power of two.
 */
public abstract sealed class PoolArena implements Arena
    permits PoolArena.Confined, PoolArena.Shared {
  private final Owner owner;
  private final Arena inner;

  private PoolArena(Owner owner, Arena inner) {
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

  /**
   * The arena of one thread. As long as it can, it has its blocks in the extent of the thread's
   * own, without a lease: see {@link Extent}.
   *
   * <p>Nothing that outlives it refers to it, no code that is not inlined gets it, and its fields
   * are few: so the JIT compiler need not make the object, nor that of the JDK in it.
   */
  static final class Confined extends PoolArena {
    /** No block yet. */
    private static final long NONE = 0;

    /** Blocks of several sizes, or between which something is free: the extent's bits say where. */
    private static final long MIXED = -1;

    /** It has its blocks, if any, elsewhere. */
    private static final long ELSEWHERE = -2;

    private static final long CLOSED = -3;

    private final Thread thread = Thread.currentThread();

    /** The thread's own extent, while this arena has blocks there only. */
    private @Nullable Extent own;

    private long pos;
    private long end;

    /** The bytes of each block in the own extent, one after the other; or one of the above. */
    private long unit = NONE;

    /** The blocks, if they are not in the thread's own extent only. */
    private @Nullable ArenaBlocks blocks;

    Confined(Owner owner) {
      super(owner, Arena.ofConfined());
    }

    @Override
    @SuppressWarnings("restricted") // the block is the arena's alone
    public MemorySegment allocate(long bytes, long alignment) {
      checkThread();
      long size = (bytes + Settings.BLOCK_BYTES - 1) & -Settings.BLOCK_BYTES;
      if (size > 0 && alignment > 0 && (alignment & (alignment - 1)) == 0) {
        if (unit == NONE) { // as in takeSlowly: a call might not be inlined, and get this arena
          Extent opened = super.owner.extents().openOwn(thread, size);
          if (opened == null) {
            unit = ELSEWHERE;
          } else {
            own = opened;
            pos = opened.from;
            end = opened.ownEnd;
            unit = size;
          }
        }
        long at = pos;
        Extent in = own;
        if (size == unit && in != null && (at & (alignment - 1)) == 0) {
          // Here, not in takeSlowly: what is called does not get this arena.
          if (size > end - at && super.owner.extents().growOwn(in, size - (end - at), at)) {
            end = in.ownEnd;
          }
          if (size <= end - at) {
            pos = at + size;
            return MemorySegment.ofAddress(at).reinterpret(bytes, super.inner, null);
          }
        }
      }
      return takeSlowly(bytes, alignment, true);
    }

    @Override
    public MemorySegment allocateUninitialized(long bytes, long alignment) {
      checkThread();
      return takeSlowly(bytes, alignment, false);
    }

    @SuppressWarnings("restricted") // the block is the arena's alone
    private MemorySegment takeSlowly(long bytes, long alignment, boolean zero) {
      ExtentCache extents = super.owner.extents();
      if (unit == CLOSED) {
        throw extents.closedArena();
      }
      ArenaBlocks all = blocks;
      if (all == null) {
        long size = extents.blockBytes(bytes, alignment);
        if (unit == NONE) {
          own = extents.openOwn(thread, size);
          if (own != null) {
            pos = own.from;
            end = own.ownEnd;
            unit = size;
          }
        }
        Extent in = own;
        if (in != null && takeInOwn(in, size, alignment)) {
          return MemorySegment.ofAddress(pos - size).reinterpret(bytes, super.inner, null);
        }
        all = moveOn(extents);
      }
      return zero ? all.takeBlock(bytes, alignment) : all.takeBlockUninitialized(bytes, alignment);
    }

    /** Takes a block that ends at {@link #pos} then; false if there is no room for it. */
    private boolean takeInOwn(Extent in, long size, long alignment) {
      long at = (pos + alignment - 1) & -alignment;
      if (size > end - at) {
        if (!super.owner.extents().growOwn(in, size - (end - at), pos)) {
          return false;
        }
        end = in.ownEnd;
      }
      if (unit != size || at != pos) {
        mark(in);
        in.addStart(at);
      }
      pos = at + size;
      return true;
    }

    /** Sets the bits of the blocks that are there, as far as they are not set. */
    private void mark(Extent in) {
      for (long at = in.from; unit > 0 && at < pos; at += unit) {
        in.addStart(at);
      }
      unit = MIXED;
    }

    /** From here on the arena has extents of its own, and the net watches it. */
    private ArenaBlocks moveOn(ExtentCache extents) {
      ArenaBlocks all = new ArenaBlocks(extents, super.inner);
      Extent left = own;
      if (left != null) {
        mark(left);
        all.goOn(left, pos);
      }
      blocks = all;
      own = null;
      unit = ELSEWHERE;
      return all;
    }

    @Override
    public void free(MemorySegment block) {
      checkThread();
      if (unit == CLOSED) {
        throw super.owner.extents().closedArena();
      }
      ArenaBlocks all = blocks;
      (all == null ? moveOn(super.owner.extents()) : all).freeBlock(block);
    }

    @Override
    public void close() {
      ArenaBlocks all = blocks;
      if (all != null) {
        all.closeScope();
        return;
      }
      try {
        super.inner.close();
      } catch (Throwable e) {
        Extent left = own;
        if (left != null && !super.inner.scope().isAlive()) {
          own = null; // a cleanup action of the scope threw; the scope is closed all the same
          unit = CLOSED;
          left.close(pos, true);
        }
        throw e;
      }
      Extent left = own;
      boolean hasBits = unit == MIXED;
      own = null;
      unit = CLOSED; // first: this arena must have nothing if the next step throws
      if (left != null) {
        left.close(pos, hasBits);
      }
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
    private final ArenaBlocks blocks;

    Shared(Owner owner) {
      super(owner, Arena.ofShared());
      blocks = new ArenaBlocks(owner.extents(), super.inner);
    }

    @Override
    public MemorySegment allocate(long bytes, long alignment) {
      synchronized (lock) {
        return blocks.takeBlock(bytes, alignment);
      }
    }

    @Override
    public MemorySegment allocateUninitialized(long bytes, long alignment) {
      synchronized (lock) {
        return blocks.takeBlockUninitialized(bytes, alignment);
      }
    }

    @Override
    public void free(MemorySegment block) {
      synchronized (lock) {
        blocks.freeBlock(block);
      }
    }

    @Override
    public void close() {
      synchronized (lock) {
        blocks.closeScope();
      }
    }
  }
}
