package dev.offcut.memory;

import org.jspecify.annotations.Nullable;

/**
 * The blocks of a heap that belongs to one thread: one stripe. The thread allocates from its slabs
 * and frees into them without the bins' locks.
 *
 * <p>Each bin keeps at most one freed block in front of its slabs: see {@link Bin.WithFront}.
 *
 * <pre>
 *   allocate  takes the front; without a front, a block of the slabs
 *   free      makes the block the front, if there is none, and if the block's slab has another
 *             block in use or may stay empty; otherwise the block goes to its slab
 *   is free   a block that is the front, or whose bit is set: a free of it is refused
 *   larger    the front is taken only by a request for exactly its size; it counts to the bytes
 *             that stay
 * </pre>
 *
 * <p>The front goes to its slab before the last block of any slab is freed, and before the last
 * block beside the front is freed: a bin has to know which of its slabs are empty. It also goes to
 * its slab at each turn of the decay and at each trim. The end of all blocks ends the front, too.
 *
 * <p>Other threads may read, under the bins' locks; what they read is exact only at rest. They may
 * also ask for empty slabs to go: the thread does that when it frees a block the next time. A
 * forgotten heap is closed by the net, when its thread cannot reach it any more.
 */
final class ConfinedBlocks extends Blocks {
  private final Thread thread = Thread.currentThread();

  /** Whether empty slabs were asked for, and those that have been empty for a short time, too. */
  private volatile boolean isAgeDue;

  private volatile boolean isTrimDue;

  /** The slab of the block that was freed last: the next one is often of the same. */
  private @Nullable Slab last;

  /** By size class; the last one is that of larger blocks. */
  private final Bin.WithFront[] bins;

  ConfinedBlocks(OpenHeaps siblings) {
    super(siblings, 1, true);
    bins = binsWithFront();
  }

  @Override
  void checkThread() {
    if (Thread.currentThread() != thread) {
      throw new WrongThreadException("the heap of " + account + " belongs to " + thread);
    }
  }

  @Override
  long allocate(long bytes) {
    checkThread();
    if (Long.compareUnsigned(bytes - 1, classes.mostBytes()) < 0) {
      Bin.WithFront bin = bins[classes.of(bytes)];
      long address = bin.front;
      if (address != 0) {
        bin.front = 0;
        return address;
      }
      address = bin.allocate();
      if (address != 0) {
        return address;
      }
    } else if (bytes > 0) {
      long address = takeLarge(bytes);
      if (address != 0) {
        return address;
      }
    }
    return allocateSlowly(bytes);
  }

  /** The front for larger blocks, if it has the size; or a kept one; or 0. */
  private long takeLarge(long bytes) {
    long blockBytes = allocator.granuleBytes(bytes);
    Bin.WithFront bin = bins[classes.count()];
    long front = bin.front;
    if (front != 0 && slabAt(front).bytes == blockBytes) {
      bin.front = 0;
      return front;
    }
    return bin.takeKept(blockBytes);
  }

  /** The slab that has the front of its bin. */
  private Slab slabAt(long front) {
    Slab slab = last;
    return slab != null && slab.contains(front) ? slab : slabOf(front);
  }

  @Override
  void free(long address) {
    checkThread();
    Slab slab = last;
    int block = slab != null && slab.contains(address) ? slab.blockAt(address) : -1;
    if (slab == null || block < 0) {
      slab = slabOf(address);
      block = slab.blockAt(address);
      last = slab;
    }
    Bin.WithFront bin = (Bin.WithFront) slab.bin;
    if (bin.front == 0 && bin.mayBeFront(slab, block)) {
      bin.front = address;
    } else {
      freeBehindFront(slab, block, address);
    }
    if (isAgeDue) {
      age(false);
    }
  }

  /** Frees a block that does not become the front at once; its bin mostly has another front. */
  private void freeBehindFront(Slab slab, int block, long address) {
    Bin.WithFront bin = (Bin.WithFront) slab.bin;
    long front = bin.front;
    if (front == address) {
      throw notOut(slab, block);
    }
    if (front != 0 && (slab.used == 1 || (slab.used == 2 && slab.contains(front)))) {
      bin.freeFront(slabAt(front));
      if (bin.mayBeFront(slab, block)) {
        bin.front = address;
        return;
      }
    }
    Bin.Freed freed = bin.free(slab, block, false);
    if (freed != Bin.Freed.FREED) {
      if (freed == Bin.Freed.NOT_PROBED) {
        StackProbe.check();
        freed = bin.free(slab, block, true);
      }
      finishFree(slab, block, freed);
    }
  }

  @Override
  long bytesOf(long address) {
    Slab slab = slabOf(address);
    if (((Bin.WithFront) slab.bin).front == address) {
      throw notOut(slab, slab.blockAt(address));
    }
    return super.bytesOf(address);
  }

  @Override
  void retire(Slab slab) {
    last = null; // another one may come to lie where it was
    super.retire(slab);
  }

  @Override
  void age(boolean atOnce) {
    if (Thread.currentThread() != thread) {
      isTrimDue |= atOnce;
      isAgeDue = true;
      return;
    }
    // In this order: who asks for a trim meanwhile has it now, or at the next free.
    isAgeDue = false;
    boolean trim = isTrimDue;
    if (trim) {
      isTrimDue = false;
    }
    freeFronts();
    super.age(atOnce || trim);
    if (trim) {
      super.discardFreePages();
    }
  }

  /** Every front goes to its slab: what is empty or free there can be given back. */
  private void freeFronts() {
    for (Bin.WithFront bin : bins) {
      if (bin.front != 0) {
        bin.freeFront(slabOf(bin.front));
      }
    }
  }

  /** By its thread, which a trim has asked to age it. */
  @Override
  void discardFreePages() {
    if (Thread.currentThread() == thread) {
      super.discardFreePages();
    }
  }
}
