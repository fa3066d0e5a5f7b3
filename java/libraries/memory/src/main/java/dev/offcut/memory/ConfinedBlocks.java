package dev.offcut.memory;

import org.jspecify.annotations.Nullable;

/**
 * The blocks of a heap that belongs to one thread: one stripe. The thread allocates from its slabs
 * and frees into them without the bins' locks.
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

  ConfinedBlocks(OpenHeaps siblings) {
    super(siblings, 1);
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
    StackProbe.check();
    if (Long.compareUnsigned(bytes - 1, classes.mostBytes()) < 0) {
      long address = bins[classes.of(bytes)].allocate();
      if (address != 0) {
        return address;
      }
    } else if (bytes > 0) {
      long address = bins[classes.count()].takeKept(allocator.granuleBytes(bytes));
      if (address != 0) {
        return address;
      }
    }
    return allocateSlowly(bytes);
  }

  @Override
  void free(long address) {
    checkThread();
    StackProbe.check();
    Slab slab = last;
    int block = slab != null && slab.contains(address) ? slab.blockAt(address) : -1;
    if (slab == null || block < 0) {
      slab = slabOf(address);
      block = slab.blockAt(address);
      last = slab;
    }
    finishFree(slab, block, slab.bin.free(slab, block));
    if (isAgeDue) {
      age(false);
    }
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
    super.age(atOnce || trim);
    if (trim) {
      super.discardFreePages();
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
