package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

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
  private final Owner owner;
  private final Arena inner;
  final ArenaBlocks blocks;

  private PoolArena(Owner owner, Arena inner) {
    this.owner = owner;
    this.inner = inner;
    blocks = new ArenaBlocks(owner.extents(), inner);
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

  @Override
  public final MemorySegment.Scope scope() {
    return inner.scope();
  }

  /** {@return the owner that this arena's memory is charged to} */
  public final Owner owner() {
    return owner;
  }

  static final class Confined extends PoolArena {
    private final Thread thread = Thread.currentThread();

    Confined(Owner owner) {
      super(owner, Arena.ofConfined());
    }

    @Override
    public MemorySegment allocate(long bytes, long alignment) {
      checkThread();
      return blocks.takeBlock(bytes, alignment);
    }

    @Override
    public MemorySegment allocateUninitialized(long bytes, long alignment) {
      checkThread();
      return blocks.takeBlockUninitialized(bytes, alignment);
    }

    @Override
    public void close() {
      blocks.closeScope();
    }

    private void checkThread() {
      if (Thread.currentThread() != thread) {
        throw new WrongThreadException("the arena belongs to " + thread);
      }
    }
  }

  /** The arena of all threads: one at a time takes and gives blocks. */
  static final class Shared extends PoolArena {
    private final Object lock = new Object();

    Shared(Owner owner) {
      super(owner, Arena.ofShared());
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
    public void close() {
      synchronized (lock) {
        blocks.closeScope();
      }
    }
  }
}
