package dev.offcut.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of one size that the threads of one stripe take blocks from, and a lock.
 *
 * <pre>
 *   slabs    by number, with gaps
 *   usable   a bit a slab: if it has a free block; some that have none any more
 *   current  where the next block comes from, if it has one
 *   lowest   no word of usable below has a bit set
 *   spare    of slabs of several blocks the one that emptied last: it stays while it is empty
 *   kept     empty slabs of one block each: a chain for each size
 * </pre>
 *
 * <p>When the current slab is full, the one with the lowest number follows, so that those with high
 * numbers empty; or, if none has a free block, the next that gets one back. Some empty slabs may
 * stay for the next block: without one, a block taken and freed again and again would fetch a chunk
 * each time.
 *
 * <p>The lock spins, since it is held for a few instructions: nothing else is locked or asked while
 * it is held. The caller holds it for everything but {@link #lock}.
 */
final class Bin {
  /** What {@link #free} answers. */
  enum Freed {
    FREED,
    /** Freed, and the slab is out of the bin: its chunk can go. */
    EMPTIED,
    /** It was free already. */
    NOT_OUT
  }

  private static final VarHandle LOCKED;

  /** Looks at a locked bin before the processor is left to others, its holder among them. */
  private static final int SPINS = 100;

  static {
    try {
      LOCKED = MethodHandles.lookup().findVarHandle(Bin.class, "locked", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // by LOCKED
  private volatile int locked;

  @Nullable Slab[] slabs = new Slab[1];
  long[] usable = new long[1];
  private int current;
  int lowest;

  /** No number below is a gap. */
  int firstGap;

  /** Nothing is counted when it gets a block, or loses it: programs do that again and again. */
  @Nullable Slab spare;

  /** The empty slabs of one block, by size in units: chains, the slab that was freed last first. */
  final @Nullable Slab[] kept;

  final long mostKeptBytes;
  long keptBytes;

  final int unitBits;

  private boolean closed;

  /** Without slabs, for those of several blocks: one that is empty stays. */
  Bin() {
    this(0, 1);
  }

  /**
   * Without slabs, for those of one block.
   *
   * @param mostKeptBytes the most bytes of empty ones that stay
   * @param unitBytes a power of two; the sizes of those that stay are multiples of it
   */
  Bin(long mostKeptBytes, int unitBytes) {
    // A class whose initialization fails is broken for ever, and the first free may come in a full
    // heap.
    Objects.requireNonNull(Freed.FREED);
    this.mostKeptBytes = mostKeptBytes;
    unitBits = Integer.numberOfTrailingZeros(unitBytes);
    kept = new Slab[(int) (mostKeptBytes / unitBytes) + 1];
  }

  @SuppressWarnings("ThreadPriorityCheck") // yielding makes waiting cheaper, not right
  void lock() {
    for (int spins = 0; !LOCKED.compareAndSet(this, 0, 1); spins++) {
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  void unlock() {
    // Release: the next holder's compare-and-set sees it, and with it all that was done under the
    // lock; nothing here needs to be seen before what this thread does next. BlockHeapThreadsTest
    // hands blocks from thread to thread; x86 keeps stores in order, so it cannot fail there.
    LOCKED.setRelease(this, 0);
  }

  /** Hands a block out: its address, or 0 if none is free. */
  long allocate() {
    Slab slab = slabs[current];
    if (slab == null || slab.isFull()) {
      slab = nextUsable();
      if (slab == null) {
        return 0;
      }
    }
    return slab.address(slab.allocateBlock());
  }

  /** Hands out a kept slab of one block of exactly so many bytes: its address, or 0. */
  long takeKept(long bytes) {
    long size = bytes >>> unitBits;
    if (size >= kept.length) {
      return 0;
    }
    Slab slab = kept[(int) size];
    if (slab == null) {
      return 0;
    }
    kept[(int) size] = slab.next;
    slab.next = null;
    keptBytes -= bytes;
    return slab.address(slab.allocateBlock());
  }

  private @Nullable Slab nextUsable() {
    for (int word = lowest; word < usable.length; word++) {
      lowest = word;
      while (usable[word] != 0) {
        int number = word * Long.SIZE + Long.numberOfTrailingZeros(usable[word]);
        Slab slab = slabs[number];
        if (slab != null && !slab.isFull()) {
          current = number;
          return slab;
        }
        usable[word] &= usable[word] - 1;
      }
    }
    return null;
  }

  Freed free(Slab slab, int block) {
    if (slab.isFree(block)) {
      return Freed.NOT_OUT;
    }
    int left = slab.used - 1;
    if (left == 0 && !mayStay(slab)) {
      slab.freeBlock(block);
      remove(slab);
      return Freed.EMPTIED;
    }
    if (slab.blocks > 1 && slab.isFull()) {
      becomesUsable(slab.number);
    }
    slab.freeBlock(block);
    if (left == 0) {
      slab.isAged = false;
      if (slab.blocks == 1) {
        keep(slab);
      } else if (spare != slab) { // a store of a reference costs more than the question
        spare = slab;
      }
    }
    return Freed.FREED;
  }

  private void keep(Slab slab) {
    int size = (int) (slab.bytes >>> unitBits);
    slab.next = kept[size];
    kept[size] = slab;
    keptBytes += slab.bytes;
  }

  /**
   * The next slab with pages that no used block touches, from a number on; null if there is none.
   * Its free blocks are aside until {@link #freeTaken}.
   */
  @Nullable Slab takeFree(int from, long pageBytes, long chunkBytes) {
    for (int number = from; number < slabs.length; number++) {
      Slab slab = slabs[number];
      if (slab != null && slab.used > 0 && !slab.isFull() && slab.takeFree(pageBytes, chunkBytes)) {
        return slab;
      }
    }
    return null;
  }

  /** Frees what was taken aside of a slab, which may have emptied. */
  Freed freeTaken(Slab slab) {
    if (slab.isFull()) {
      becomesUsable(slab.number);
    }
    slab.freeTaken();
    if (slab.used > 0) {
      return Freed.FREED;
    }
    remove(slab);
    return Freed.EMPTIED;
  }

  /** Not a guarded block, which has no access before and behind it. */
  private boolean mayStay(Slab slab) {
    if (slab.blocks > 1) {
      Slab other = spare;
      return other == slab || other == null || other.used > 0;
    }
    return keptBytes + slab.bytes <= mostKeptBytes && slab.base == slab.chunk;
  }

  /** A full slab gets a block back. */
  private void becomesUsable(int number) {
    usable[number / Long.SIZE] |= 1L << number;
    lowest = Math.min(lowest, number / Long.SIZE);
    Slab next = slabs[current];
    if (next == null || next.isFull()) {
      current = number;
    }
  }

  /** Adds a slab that has a block in use; false if the bin is closed. */
  boolean add(Slab slab) {
    if (closed) {
      return false;
    }
    while (firstGap < slabs.length && slabs[firstGap] != null) {
      firstGap++;
    }
    if (firstGap == slabs.length) {
      @Nullable Slab[] more = Arrays.copyOf(slabs, 2 * slabs.length);
      usable = Arrays.copyOf(usable, (more.length + Long.SIZE - 1) / Long.SIZE);
      slabs = more;
    }
    slab.number = firstGap;
    slabs[firstGap] = slab;
    usable[firstGap / Long.SIZE] |= 1L << firstGap;
    lowest = Math.min(lowest, firstGap / Long.SIZE);
    return true;
  }

  private void remove(Slab slab) {
    if (spare == slab) {
      spare = null;
    }
    slabs[slab.number] = null;
    usable[slab.number / Long.SIZE] &= ~(1L << slab.number);
    firstGap = Math.min(firstGap, slab.number);
  }

  /**
   * Puts empty slabs out that were empty at the last call and ever since; at once, if said. Those
   * that are out, as a chain: a list would need heap, and this is done when a block is freed.
   */
  @Nullable Slab age(boolean atOnce) {
    if (keptBytes == 0 && (spare == null || spare.used > 0)) {
      return null;
    }
    Slab out = null;
    Arrays.fill(kept, null);
    keptBytes = 0;
    for (Slab slab : slabs) {
      if (slab != null && slab.used == 0) {
        if (atOnce || slab.isAged) {
          out = putOut(slab, out);
        } else {
          slab.isAged = true;
          if (slab.blocks == 1) {
            keep(slab);
          }
        }
      }
    }
    return out;
  }

  /** Frees all blocks and puts all slabs out, as a chain; whether one may come again. */
  @Nullable Slab clear(boolean close) {
    Slab out = null;
    for (Slab slab : slabs) {
      if (slab != null) {
        slab.freeAll();
        out = putOut(slab, out);
      }
    }
    keptBytes = 0;
    Arrays.fill(kept, null);
    closed |= close;
    return out;
  }

  private Slab putOut(Slab slab, @Nullable Slab others) {
    remove(slab);
    slab.next = others;
    return slab;
  }

  /** Bytes of the blocks that are out, without those that wait. */
  long usedBytes() {
    long bytes = 0;
    for (Slab slab : slabs) {
      bytes += slab == null ? 0 : (slab.used - slab.aside) * slab.blockBytes;
    }
    return bytes;
  }
}
