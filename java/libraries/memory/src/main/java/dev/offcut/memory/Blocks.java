package dev.offcut.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a heap: bins of slabs, and a map that finds the slab of a block.
 *
 * <pre>
 *   stripe   the threads whose ids end alike; a bin for each size class, and one for larger blocks
 *   bin      a lock, and slabs
 *   slab     a chunk of the pool, cut into blocks of one size; or one larger block
 * </pre>
 *
 * <p>A block comes from the bin of the thread's stripe, and goes back to its own slab, whichever
 * thread frees it. So there are no caches per thread: a slab knows all its free blocks. A slab
 * without used blocks goes back to the pool at once. Only one such slab of each bin stays, and of
 * larger blocks 8 MiB of a stripe, until the decay takes them.
 *
 * <p>No thread waits for the pool while it holds the lock of a bin. Any thread may use this class.
 */
class Blocks {
  /**
   * Bytes of free blocks that stay in a stripe's bin for larger ones. More spares the region's lock
   * those that free many at once, and keeps so much of every heap for each stripe.
   */
  private static final long MOST_KEPT_BYTES = 8 << 20;

  final Account account;
  final ChunkAllocator allocator;
  private final OpenHeaps siblings;
  final SizeClasses classes;
  final SlabMap map;

  /** For each stripe one for each size class, then the one for larger blocks. */
  final Bin[] bins;

  private final int binsOfStripe;
  private volatile boolean closed;

  /** Held while all blocks are freed, and while pages of free ones go to the system. */
  private final Object clearing = new Object();

  private final int stripes;

  Blocks(OpenHeaps siblings) {
    this(siblings, Stripes.OF_HEAPS);
  }

  Blocks(OpenHeaps siblings, int stripes) {
    this.siblings = siblings;
    this.stripes = stripes;
    account = siblings.account;
    allocator = siblings.allocator;
    classes = new SizeClasses(allocator.geometry);
    map = new SlabMap(classes.slabBytes());
    binsOfStripe = classes.count() + 1;
    bins = new Bin[stripes * binsOfStripe];
    for (int i = 0; i < bins.length; i++) {
      boolean isOfLarge = i % binsOfStripe == classes.count();
      bins[i] = isOfLarge ? new Bin(MOST_KEPT_BYTES, allocator.geometry.granuleBytes()) : new Bin();
    }
  }

  void checkThread() {}

  // Taking.

  long allocate(long bytes) {
    StackProbe.check();
    if (Long.compareUnsigned(bytes - 1, classes.mostBytes()) < 0) {
      long address = allocateLocked(bins[stripe() + classes.of(bytes)]);
      if (address != 0) {
        return address;
      }
    } else if (bytes > 0) {
      return allocateLarge(bytes);
    }
    return allocateSlowly(bytes);
  }

  private int stripe() {
    return Stripes.ofThread(stripes) * binsOfStripe;
  }

  private static long allocateLocked(Bin bin) {
    bin.lock();
    try {
      return bin.allocate();
    } finally {
      bin.unlock();
    }
  }

  MemorySegment allocateSegment(long bytes) {
    return RawMemory.segment(allocate(bytes), bytes);
  }

  final long allocateSlowly(long bytes) {
    checkOpen();
    if (bytes <= 0) {
      throw new IllegalSizeException(
          "a block of " + bytes + " bytes for " + account + ": ask for 1 or more");
    }
    return bytes <= classes.mostBytes() ? fetch(classes.of(bytes)) : allocateLarge(bytes);
  }

  /** Gets a slab for the thread's bin: its first block. */
  private long fetch(int sizeClass) {
    long chunk;
    try {
      chunk = allocator.allocateLevel(account, allocator.geometry.level(classes.slabBytes()));
    } catch (MemoryLimitException e) {
      long address = takeAny(sizeClass);
      if (address == 0) {
        throw e;
      }
      return address;
    }
    return adopt(sizeClass, chunk, chunk, classes.bytes(sizeClass), classes.slabBytes());
  }

  /** From any stripe: what is free in one is not stranded when no chunk can be had. */
  private long takeAny(int sizeClass) {
    long address = 0;
    for (int i = sizeClass; i < bins.length && address == 0; i += binsOfStripe) {
      address = allocateLocked(bins[i]);
    }
    return address;
  }

  private long allocateLarge(long bytes) {
    long blockBytes = allocator.granuleBytes(bytes);
    if (blockBytes <= MOST_KEPT_BYTES) {
      long address = takeKept(bins[stripe() + classes.count()], blockBytes);
      if (address != 0) {
        return address;
      }
    }
    checkOpen();
    long chunk = allocator.allocateGranules(account, bytes).address;
    return adoptOne(chunk, chunk, blockBytes);
  }

  private static long takeKept(Bin bin, long blockBytes) {
    bin.lock();
    try {
      return bin.takeKept(blockBytes);
    } finally {
      bin.unlock();
    }
  }

  /** Makes a chunk one block. */
  final long adoptOne(long chunk, long base, long blockBytes) {
    return adopt(classes.count(), chunk, base, blockBytes, blockBytes);
  }

  /** Makes a chunk a slab of the thread's stripe: its first block; or gives the chunk back. */
  private long adopt(int binOfStripe, long chunk, long base, long blockBytes, long slabBytes) {
    Slab slab = null;
    boolean added = false;
    try {
      Bin bin = bins[stripe() + binOfStripe];
      slab = cut(bin, chunk, base, blockBytes, (int) (slabBytes / blockBytes));
      long address = slab.address(slab.allocateBlock());
      map.put(slab);
      added = addLocked(bin, slab);
      if (!added) {
        checkOpen();
      }
      return address;
    } finally {
      if (!added) {
        if (slab != null) {
          map.remove(slab);
        }
        allocator.freeChunk(chunk);
      }
    }
  }

  /** A slab of a chunk that is new to the heap. */
  Slab cut(Bin bin, long chunk, long base, long blockBytes, int count) {
    return new Slab(bin, chunk, base, blockBytes, count);
  }

  private static boolean addLocked(Bin bin, Slab slab) {
    bin.lock();
    try {
      return bin.add(slab);
    } finally {
      bin.unlock();
    }
  }

  // Giving back.

  void free(long address) {
    StackProbe.check();
    Slab slab = slabOf(address);
    int block = slab.blockAt(address);
    Bin.Freed freed;
    slab.bin.lock();
    try {
      freed = slab.bin.free(slab, block);
    } finally {
      slab.bin.unlock();
    }
    finishFree(slab, block, freed);
  }

  /** Does what is left to do after a block went back to its bin. */
  final void finishFree(Slab slab, int block, Bin.Freed freed) {
    if (freed == Bin.Freed.EMPTIED) {
      retire(slab);
    } else if (freed == Bin.Freed.NOT_OUT) {
      throw notOut(slab, block);
    }
  }

  /** The slab in which a block begins at an address, or an error that says what is there. */
  final Slab slabOf(long address) {
    Slab slab = map.of(address);
    if (slab == null || slab.blockAt(address) < 0) {
      throw foreign(address, slab);
    }
    return slab;
  }

  /** The chunk of a slab that is out of its bin goes back to the pool. */
  void retire(Slab slab) {
    map.remove(slab);
    allocator.freeChunk(slab.chunk);
  }

  final RuntimeException notOut(Slab slab, int block) {
    checkOpen();
    return new DoubleFreeException(
        describe(slab.address(block), slab) + " is free already: nothing changed");
  }

  private RuntimeException foreign(long address, @Nullable Slab slab) {
    checkOpen();
    if (slab == null && allocator.isFree(address)) {
      return new DoubleFreeException(describe(address, null) + " is free already: nothing changed");
    }
    return new ForeignFreeException(
        describe(address, slab)
            + (slab == null
                ? ", is in no block that is in use"
                : ", is not the start of that block")
            + ": free each block once, with the address that the allocation returned, in the heap"
            + " that allocated it");
  }

  private String describe(long address, @Nullable Slab slab) {
    return "0x"
        + Long.toHexString(address)
        + (slab == null ? "" : ", in a block of " + slab.blockBytes + " bytes")
        + ", of the heap of "
        + account;
  }

  // Changing the size.

  /** How many bytes may be used at an address that was handed out. */
  long bytesOf(long address) {
    Slab slab = slabOf(address);
    int block = slab.blockAt(address);
    slab.bin.lock();
    boolean free;
    try {
      free = slab.isFree(block);
    } finally {
      slab.bin.unlock();
    }
    if (free) {
      throw notOut(slab, block);
    }
    return slab.blockBytes;
  }

  long reallocate(long address, long bytes) {
    long before = bytesOf(address);
    return bytes > 0 && bytesFor(bytes) == before ? address : move(address, before, bytes);
  }

  final long move(long address, long before, long bytes) {
    long moved = allocate(bytes);
    boolean freed = false;
    try {
      RawMemory.copy(address, moved, Math.min(before, bytes));
      free(address);
      freed = true;
    } finally {
      if (!freed) {
        free(moved);
      }
    }
    return moved;
  }

  /** The bytes of a block that is asked for as so many. */
  private long bytesFor(long bytes) {
    return bytes <= classes.mostBytes()
        ? classes.bytes(classes.of(bytes))
        : allocator.granuleBytes(bytes);
  }

  // Looking after.

  /** Gives slabs without blocks back: those that were so at the last call, or all. */
  void age(boolean atOnce) {
    StackProbe.check();
    for (Bin bin : bins) {
      Slab out;
      bin.lock();
      try {
        out = bin.age(atOnce);
      } finally {
        bin.unlock();
      }
      retireAll(out);
    }
  }

  final boolean isClosed() {
    return closed;
  }

  /** Frees every block, and hands none out any more. To be called again if it throws. */
  final void close() {
    closed = true;
    clear(true);
    siblings.remove(this);
  }

  void clear(boolean close) {
    StackProbe.check();
    synchronized (clearing) {
      for (Bin bin : bins) {
        Slab out;
        bin.lock();
        try {
          out = bin.clear(close);
        } finally {
          bin.unlock();
        }
        retireAll(out);
      }
    }
  }

  /** Gives the system the pages of slabs that no block in use touches. */
  void discardFreePages() {
    StackProbe.check();
    synchronized (clearing) {
      for (Bin bin : bins) {
        for (Slab slab = takeFree(bin, 0); slab != null; ) {
          try {
            discard(slab);
          } finally {
            freeTaken(slab);
          }
          slab = takeFree(bin, slab.number + 1);
        }
      }
    }
  }

  private @Nullable Slab takeFree(Bin bin, int from) {
    bin.lock();
    try {
      return bin.takeFree(from, allocator.commitment.pageBytes(), classes.slabBytes());
    } finally {
      bin.unlock();
    }
  }

  private void freeTaken(Slab slab) {
    Bin.Freed freed;
    slab.bin.lock();
    try {
      freed = slab.bin.freeTaken(slab);
    } finally {
      slab.bin.unlock();
    }
    if (freed == Bin.Freed.EMPTIED) {
      retire(slab);
    }
  }

  /** Gives free pages back, those in a row at once. If the system refuses, they stay. */
  private void discard(Slab slab) {
    long pageBytes = allocator.commitment.pageBytes();
    for (long rest = slab.freePages; rest != 0; ) {
      int first = Long.numberOfTrailingZeros(rest);
      int count = Long.numberOfTrailingZeros(~(rest >>> first));
      long from = slab.base + first * pageBytes;
      boolean ignored = allocator.commitment.discard(from, count * pageBytes);
      rest &= ~Leaves.run(first, count);
    }
  }

  /** The slabs of a chain, which are in no bin any more. */
  private void retireAll(@Nullable Slab out) {
    Slab slab = out;
    while (slab != null) {
      Slab next = slab.next;
      slab.next = null;
      retire(slab);
      slab = next;
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new ClosedHeapException(
          "the heap of " + account + " is closed; all its blocks are free");
    }
  }

  /** Bytes of the blocks that are out. */
  long usedBytes() {
    long bytes = 0;
    for (Bin bin : bins) {
      bin.lock();
      try {
        bytes += bin.usedBytes();
      } finally {
        bin.unlock();
      }
    }
    return bytes;
  }
}
