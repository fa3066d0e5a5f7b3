package dev.offcut.memory;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Releaser;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Allocates and frees single blocks of native memory, by any thread: {@code malloc} and {@code
 * free} on chunks of a pool.
 *
 * <pre>{@code
 * try (BlockHeap heap = owner.openHeap()) {
 *   long address = heap.allocate(200);
 *   heap.free(address);
 * }
 * }</pre>
 *
 * <p>A block is aligned to 16 bytes; its content is undefined. The heap detects the free of an
 * address where no block begins. It detects a double free, with one exception: if the block was
 * handed out again before the second free, the second free frees the new holder's block.
 *
 * <p><b>Ownership.</b> A block belongs to the code that took it, until the block is freed or the
 * heap is closed. {@link #close} also frees the blocks that are still in use, and then reports them
 * by a {@link LeakedBlocksException}; {@link #freeAll} frees them without an exception. A heap that
 * became unreachable without a close is forgotten: all its blocks are freed some time later, and
 * the heap is counted and reported like a forgotten handle. Keep the heap reachable while its
 * blocks are used. Addresses and segments do not keep it reachable.
 *
 * <p><b>Threads.</b> Any thread, also virtual threads. A heap of {@link Owner#openConfinedHeap}
 * belongs to the thread that opened it, which allocates from its slabs and frees into them without
 * a lock; other threads get a {@link WrongThreadException}. A confined heap keeps at most one slab
 * per size for its next blocks. It returns these slabs when its thread frees a block after a turn
 * of the decay or a trim, or when it is closed.
 *
 * <p><b>Failures.</b> {@link MemoryLimitException}, {@link DoubleFreeException}, {@link
 * ForeignFreeException}, {@link IllegalSizeException}, {@link ClosedHeapException}. Each of them
 * changes nothing. With {@link Hardening} also {@link CorruptedBlockException}.
 *
 * <p>See {@link Blocks} for the implementation.
 */
public final class BlockHeap implements AutoCloseable {
  private final Owner owner;
  private final Blocks blocks;
  private final OpenHeap handle;

  private BlockHeap(Owner owner, Blocks blocks) {
    this.owner = owner;
    this.blocks = blocks;
    handle = new OpenHeap(owner.heaps(), blocks);
  }

  /** Opens a heap whose chunks are charged to an owner. */
  static BlockHeap open(Owner owner, Hardening hardening) {
    return new BlockHeap(owner, hardening.openBlocks(owner.heaps()));
  }

  /** Opens a heap whose segments die with their blocks. */
  static BlockHeap openScoped(Owner owner) {
    return new BlockHeap(owner, new ScopedBlocks(owner.heaps()));
  }

  /** Opens a heap of this thread. */
  static BlockHeap openConfined(Owner owner) {
    return new BlockHeap(owner, new ConfinedBlocks(owner.heaps()));
  }

  /** {@return the owner that the chunks of this heap are charged to} */
  public Owner owner() {
    return owner;
  }

  /**
   * Takes a block. Its content is undefined. Any thread may call this method; in a confined heap
   * only the owning thread may.
   *
   * @param bytes the least size of the block
   * @return the address of the block; the caller frees it
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws MemoryLimitException if the request would exceed a limit; nothing was taken
   */
  public long allocate(long bytes) {
    try {
      return blocks.allocate(bytes);
    } finally {
      Reference.reachabilityFence(this); // the net must not free blocks under a call
    }
  }

  /**
   * Frees a block.
   *
   * @param address where the block begins
   * @throws DoubleFreeException if it is free already
   * @throws ForeignFreeException if no block of this heap begins there
   */
  public void free(long address) {
    try {
      blocks.free(address);
    } finally {
      Reference.reachabilityFence(this); // as above
    }
  }

  /**
   * The usable size of a block.
   *
   * @param address where the block begins
   * @return its bytes: as many as were requested, or more
   * @throws DoubleFreeException if it is free
   * @throws ForeignFreeException if no block of this heap begins there
   */
  public long bytesOf(long address) {
    blocks.checkThread();
    try {
      return blocks.bytesOf(address);
    } finally {
      Reference.reachabilityFence(this); // as above
    }
  }

  /**
   * Changes the size of a block. The block stays in place if the new size belongs to the same size
   * class. Otherwise this method copies as many bytes as fit into a new block, and frees the old
   * block.
   *
   * @param address where the block begins
   * @param bytes the least size from now on
   * @return the address from now on
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws DoubleFreeException if it is free
   * @throws ForeignFreeException if no block of this heap begins there
   * @throws MemoryLimitException if the request would exceed a limit; the block is unchanged
   */
  public long reallocate(long address, long bytes) {
    blocks.checkThread();
    try {
      return blocks.reallocate(address, bytes);
    } finally {
      Reference.reachabilityFence(this); // as above
    }
  }

  /**
   * Takes a block, as a segment with checked bounds. After the block is freed, the segment still
   * gives access to that memory, whatever it then contains.
   *
   * <p>A heap of {@link Owner#openScopedHeap} is different: there the segment ends before the
   * memory is handed out again, and each later use of the segment throws an {@link
   * IllegalStateException}.
   *
   * @param bytes the exact size of the segment
   * @return the segment; its block is the caller's to {@linkplain #free(MemorySegment) free}
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws MemoryLimitException if the request would exceed a limit; nothing was taken
   */
  public MemorySegment allocateSegment(long bytes) {
    try {
      return blocks.allocateSegment(bytes);
    } finally {
      Reference.reachabilityFence(this); // as above
    }
  }

  /**
   * Takes a block, as a segment that can be used until an arena closes. The arena does not free the
   * block. After the block is freed, the segment still gives access to that memory, whatever it
   * then contains.
   *
   * @param bytes the exact size of the segment
   * @param arena the segment has the scope of this arena
   * @return the segment; its block is the caller's to {@linkplain #free(MemorySegment) free}
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws MemoryLimitException if the request would exceed a limit; nothing was taken
   */
  public MemorySegment allocateSegment(long bytes, Arena arena) {
    long address = allocate(bytes);
    boolean made = false;
    try {
      MemorySegment segment = RawMemory.segment(address, bytes, arena);
      made = true;
      return segment;
    } finally {
      if (!made) {
        free(address);
      }
    }
  }

  /**
   * Frees the block that a segment begins at.
   *
   * @param segment begins where the block does; its size does not matter
   * @throws DoubleFreeException if it is free already
   * @throws ForeignFreeException if no block of this heap begins there
   */
  public void free(MemorySegment segment) {
    free(segment.address());
  }

  /**
   * {@return the bytes of the blocks in use; exact if no other thread takes or frees a block during
   * the call}
   */
  public long usedBytes() {
    return blocks.usedBytes();
  }

  /** Frees every block. The heap stays open. */
  public void freeAll() {
    blocks.checkThread();
    blocks.clear(false);
  }

  /**
   * Frees every block, and gives all chunks back. No effect if the heap is closed. A block that
   * another thread takes during the close is freed, too.
   *
   * @throws LeakedBlocksException if blocks were in use; the heap is closed, and the blocks are
   *     freed
   * @throws IllegalStateException if a segment of a scoped heap is used by a native call; the heap
   *     is closed, and its memory comes back at a turn of the decay or a trim after that call
   */
  @Override
  public void close() {
    blocks.checkThread();
    long used = usedBytes();
    handle.close();
    if (used != 0) {
      throw new LeakedBlocksException(
          this
              + " was closed with "
              + used
              + " bytes of blocks out, which are free now: free them before, or call freeAll()");
    }
  }

  @Override
  public String toString() {
    return "the heap of " + owner();
  }

  /** Initializes what a heap needs: see {@link Warmup}. */
  static void initialize() {
    OpenHeap.OPEN.end();
  }

  /**
   * Stands for the blocks of a heap, so that those of a forgotten one come home: nothing that
   * outlives the heap leads back to it.
   */
  private static final class OpenHeap extends Handle {
    private static final NumberTable<Blocks> OPEN = new NumberTable<>();

    private static final HandleType TYPE =
        HandleType.named("block heap")
            .releaser(
                new Releaser() { // no lambda: see MemoryPool
                  @Override
                  public void release(long number) {
                    OpenHeap.release((int) number);
                  }
                })
            .create();

    OpenHeap(OpenHeaps heaps, Blocks blocks) {
      int number = 0;
      boolean opened = false;
      try {
        number = OPEN.add(blocks);
        heaps.add(blocks);
        adopt(number);
        opened = true;
      } finally {
        if (!opened) {
          abandon(heaps, blocks, number);
        }
      }
    }

    private void abandon(OpenHeaps heaps, Blocks blocks, int number) {
      if (number != 0) {
        heaps.remove(blocks);
        OPEN.remove(number);
      }
      abandon();
    }

    private static void release(int number) {
      Blocks blocks = OPEN.get(number);
      if (blocks == null) {
        throw new IllegalStateException("heap " + number + " was closed before");
      }
      OPEN.remove(number);
      synchronized (blocks.allocator.upkeepLock) { // not while it is verified
        blocks.close();
      }
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }
}
