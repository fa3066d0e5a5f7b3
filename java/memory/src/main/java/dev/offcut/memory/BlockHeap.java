package dev.offcut.memory;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Releaser;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Blocks of native memory that any thread takes and any thread frees, one by one: {@code malloc}
 * and {@code free} on chunks of a pool.
 *
 * <pre>{@code
 * try (BlockHeap heap = owner.openHeap()) {
 *   long address = heap.allocate(200);
 *   heap.free(address);
 * }
 * }</pre>
 *
 * <p>A block is aligned to 16 bytes, and holds whatever was in it. Freeing a block twice, or what
 * is no block of this heap, is always found; not so if the block was handed out again meanwhile,
 * which is then freed.
 *
 * <p><b>Ownership.</b> A block belongs to whoever took it, until it is freed or the heap is closed.
 * {@link #close} frees blocks that are out, too, and then reports them by a {@link
 * LeakedBlocksException}; {@link #freeAll} frees them without. A heap that became unreachable
 * without a close is forgotten: all its blocks are freed some time later, counted and reported as
 * handles are. So keep it reachable while its blocks are used: neither addresses nor segments do.
 *
 * <p><b>Threads.</b> Any; virtual ones too. A heap of {@link Owner#openConfinedHeap} belongs to the
 * thread that opened it, and needs no lock: {@link WrongThreadException} for others. What it keeps
 * for its next blocks, at most a slab for each size, it gives back when the thread frees a block
 * after a decay or a trim, or at its close.
 *
 * <p><b>Failures.</b> {@link MemoryLimitException}, {@link DoubleFreeException}, {@link
 * ForeignFreeException}, {@link IllegalSizeException}, {@link ClosedHeapException}; each leaves
 * everything as it was. With {@link Hardening} also {@link CorruptedBlockException}.
 *
 * <p>How it works is said in {@link Blocks}.
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
   * Takes a block, with anything in it. Any thread may call it, in a confined heap its own.
   *
   * @param bytes the least size of the block
   * @return its address, which is the caller's to free
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws MemoryLimitException if a limit stands against it; nothing was taken
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
   * @return its bytes: what was asked for, or more
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
   * Changes the size of a block: in place if the new size needs just as large a one; else what fits
   * is copied to a new block, and the old one freed.
   *
   * @param address where the block begins
   * @param bytes the least size from now on
   * @return the address from now on
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws DoubleFreeException if it is free
   * @throws ForeignFreeException if no block of this heap begins there
   * @throws MemoryLimitException if a limit stands against it; the block is as it was
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
   * Takes a block, as a segment. Bounds are checked. After the block is freed the segment can still
   * be used, with what is there then.
   *
   * <p>Not so in a heap of {@link Owner#openScopedHeap}: there the segment dies, with an {@link
   * IllegalStateException} for whoever uses it, before the memory is handed out again.
   *
   * @param bytes the exact size of the segment
   * @return the segment; its block is the caller's to {@linkplain #free(MemorySegment) free}
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws MemoryLimitException if a limit stands against it; nothing was taken
   */
  public MemorySegment allocateSegment(long bytes) {
    try {
      return blocks.allocateSegment(bytes);
    } finally {
      Reference.reachabilityFence(this); // as above
    }
  }

  /**
   * Takes a block, as a segment that can be used until an arena closes. The arena does not free it;
   * after a free it can still be used, with what is there then.
   *
   * @param bytes the exact size of the segment
   * @param arena whose scope the segment has
   * @return the segment; its block is the caller's to {@linkplain #free(MemorySegment) free}
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws MemoryLimitException if a limit stands against it; nothing was taken
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
   * {@return the bytes of the blocks that are out; exact when no other thread takes or frees
   * meanwhile}
   */
  public long usedBytes() {
    return blocks.usedBytes();
  }

  /** Frees every block. The heap can be used on. */
  public void freeAll() {
    blocks.checkThread();
    blocks.clear(false);
  }

  /**
   * Frees every block, and gives all chunks back. Without effect if it is closed. A block that
   * another thread takes meanwhile is freed.
   *
   * @throws LeakedBlocksException if blocks were out; the heap is closed, and they are freed
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
