package dev.offcut.memory;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A heap of native memory: it allocates and frees single blocks, as {@code malloc} and {@code free}
 * do. It cuts the blocks out of chunks of a pool.
 *
 * <pre>{@code
 * try (BlockHeap heap = owner.openHeap()) {
 *   long address = heap.allocate(200);
 *   heap.free(address);
 * }
 * }</pre>
 *
 * <p>A block is aligned to 16 bytes; its content is undefined. The heap detects the free of an
 * address where no block begins. It also detects a double free, with one exception: if the block
 * was handed out again between the two frees, the second free takes it away from its new holder.
 *
 * <p><b>Ownership.</b> A block belongs to the code that took it, until the block is freed or the
 * heap is closed. {@link #close} frees the blocks that are still in use, and then reports them with
 * a {@link LeakedBlocksException}. {@link #freeAll} frees all blocks without an exception.
 *
 * <p>A heap is forgotten if it became unreachable before it was closed. Some time later the safety
 * net frees all its blocks, and counts and reports the heap as a forgotten handle. So keep the heap
 * reachable while you use its blocks: their addresses and segments do not keep it reachable.
 *
 * <p><b>Threads.</b> Any thread, including virtual threads. Only a heap of {@link
 * Owner#openConfinedHeap} belongs to the thread that opened it: every other thread gets a {@link
 * WrongThreadException}. A confined heap takes and frees blocks without a lock. It keeps at most
 * one empty chunk for each block size. After a turn of the pool's {@linkplain
 * MemoryPool.Builder#decay decay} or a trim, it returns these chunks when its thread frees the next
 * block. It also returns them when it is closed.
 *
 * <p><b>Failures.</b> {@link MemoryLimitException}, {@link DoubleFreeException}, {@link
 * ForeignFreeException}, {@link IllegalSizeException}, {@link ClosedHeapException}. None of them
 * changes anything. A heap with {@link Hardening#FULL} also throws {@link CorruptedBlockException}.
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

  static BlockHeap open(Owner owner, Hardening hardening) {
    return new BlockHeap(owner, hardening.openBlocks(owner.heaps()));
  }

  static BlockHeap openConfined(Owner owner) {
    return new BlockHeap(owner, new ConfinedBlocks(owner.heaps()));
  }

  /** {@return the owner that the chunks of this heap are charged to} */
  public Owner owner() {
    return owner;
  }

  /**
   * Takes a block. Its content is undefined.
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
   * @throws DoubleFreeException if the block is free already
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
   * Returns the usable size of a block.
   *
   * @param address where the block begins
   * @return the size in bytes: as many as were requested, or more
   * @throws DoubleFreeException if the block is free
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
   * Changes the size of a block. Without hardening, the block stays in place if the new size
   * belongs to the same size class. Otherwise this method takes a new block, copies as many bytes
   * as fit, and frees the old block.
   *
   * @param address where the block begins
   * @param bytes the new least size
   * @return the address of the resized block
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws DoubleFreeException if the block is free
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
   * Takes a block and returns it as a segment with checked bounds. After the block is freed, the
   * segment still gives access to the memory, even if other code uses it by then.
   *
   * @param bytes the exact size of the segment
   * @return the segment; the caller frees its block with {@link #free(MemorySegment)}
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
   * Frees the block that begins where a segment begins.
   *
   * @param segment the segment; only its address matters, not its size
   * @throws DoubleFreeException if the block is free already
   * @throws ForeignFreeException if no block of this heap begins there
   */
  public void free(MemorySegment segment) {
    free(segment.address());
  }

  /**
   * {@return the bytes of all blocks in use} Any thread may call this method. The figure is exact
   * if no other thread takes or frees a block during the call.
   */
  public long usedBytes() {
    return blocks.usedBytes();
  }

  /** Frees all blocks. The heap stays open. */
  public void freeAll() {
    blocks.checkThread();
    blocks.clear(false);
  }

  /**
   * Closes the heap: frees all blocks and gives all chunks back to the pool. A block that another
   * thread takes during the close is freed, too. Further calls do nothing.
   *
   * @throws LeakedBlocksException if blocks were in use; the heap is closed, and the blocks are
   *     freed
   */
  @Override
  public void close() {
    blocks.checkThread();
    long used = usedBytes();
    handle.close();
    if (used != 0) {
      throw new LeakedBlocksException(
          this
              + " was closed while blocks of "
              + used
              + " bytes were in use; close() has freed them. Free all blocks before close(), or call"
              + " freeAll()");
    }
  }

  @Override
  public String toString() {
    return "the heap of " + owner();
  }

  /**
   * Stands for the blocks of a heap, so that those of a forgotten one come home: nothing that
   * outlives the heap leads back to it.
   */
  private static final class OpenHeap extends Handle {
    private static final NumberTable<Blocks> OPEN = new NumberTable<>();

    private static final HandleType TYPE =
        HandleType.named("block heap")
            .openedThrough("dev.offcut.memory")
            .releaser(OpenHeap::release)
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

    private static void release(long number) {
      Blocks blocks = OPEN.get((int) number);
      if (blocks == null) {
        throw new IllegalStateException("heap " + number + " was closed before");
      }
      OPEN.remove((int) number);
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
