package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Blocks whose segments die with them: before the memory of a freed block is handed out again, its
 * segment can be used no more.
 *
 * <pre>
 *   out ──free──▶ waiting ──the last block of its group is freed──▶ the scope is closed ──▶ free
 * </pre>
 *
 * To close a scope of many threads stops each of them for a moment. So blocks share one by groups:
 * up to {@link #GROUP_BLOCKS} that were allocated one after the other in a stripe, up to {@link
 * #GROUP_BYTES}. A freed block waits for the others of its group; what is waiting is not used, and
 * comes back at a turn of the decay, a trim or a refusal if no block of its group is out.
 *
 * <p>Any thread may use it.
 */
final class ScopedBlocks extends Blocks {
  /** More share the cost of a close, fewer wait for one that lives long. */
  static final int GROUP_BLOCKS = 256;

  /** The most bytes that one block can keep waiting beside its own. */
  static final long GROUP_BYTES = 1 << 20;

  /** The groups that are being filled, one a stripe. */
  private final AtomicReferenceArray<@Nullable Group> filling =
      new AtomicReferenceArray<>(Stripes.OF_HEAPS);

  /** All groups whose scope is alive: a list, changed under this monitor. */
  private @Nullable Group first;

  /** Blocks with one scope. Guarded by its own monitor, but for its place in the list. */
  private static final class Group {
    final Arena arena = Arena.ofShared();
    final long[] addresses = new long[GROUP_BLOCKS];
    int blocks;
    long bytes;
    int out;

    /** Whether it takes no more blocks. */
    boolean isFull;

    /** Whether its scope is closed and its blocks are free. */
    boolean isEnded;

    /** Whether it was there at the last turn of the decay already. */
    boolean isAged;

    @Nullable Group next;
    @Nullable Group previous;
  }

  /** A slab that knows the group of each block that has one, and which of them wait. */
  static final class ScopedSlab extends Slab {
    private final @Nullable Group[] groups;
    private final boolean[] waiting;

    ScopedSlab(Bin bin, long chunk, long base, long blockBytes, int blocks) {
      super(bin, chunk, base, blockBytes, blocks);
      groups = new Group[blocks];
      waiting = new boolean[blocks];
    }
  }

  ScopedBlocks(OpenHeaps siblings) {
    super(siblings);
  }

  @Override
  Slab cut(Bin bin, long chunk, long base, long blockBytes, int count) {
    return new ScopedSlab(bin, chunk, base, blockBytes, count);
  }

  @Override
  long allocate(long bytes) {
    long address = super.allocate(bytes);
    ScopedSlab slab = (ScopedSlab) slabOf(address);
    setGroup(slab, slab.blockAt(address), null);
    return address;
  }

  @Override
  MemorySegment allocateSegment(long bytes) {
    StackProbe.check(); // a group that is filled must be in the list
    long address = super.allocate(bytes);
    Group joined = null;
    boolean made = false;
    try {
      joined = joinGroup(address);
      MemorySegment segment = RawMemory.segment(address, bytes, joined.arena);
      made = true;
      return segment;
    } finally {
      if (!made) {
        giveUp(address, joined);
      }
    }
  }

  /** Frees a block whose segment was not made; not if its group was ended, which freed it. */
  private void giveUp(long address, @Nullable Group joined) {
    if (joined == null) {
      super.free(address);
    } else {
      synchronized (joined) {
        if (joined.arena.scope().isAlive()) {
          free(address);
        }
      }
    }
  }

  private static void setGroup(ScopedSlab slab, int block, @Nullable Group group) {
    slab.bin.lock();
    try {
      slab.groups[block] = group;
      slab.waiting[block] = false;
    } finally {
      slab.bin.locked = 0;
    }
  }

  /** Adds a block to the group that the thread's stripe fills. */
  private Group joinGroup(long address) {
    ScopedSlab slab = (ScopedSlab) slabOf(address);
    int stripe = Stripes.ofThread(filling.length());
    while (true) {
      Group group = filling.get(stripe);
      if (group == null) {
        group = new Group();
        list(group); // before another thread can fill and end it
        if (!filling.compareAndSet(stripe, null, group)) {
          unlist(group);
          continue;
        }
      }
      if (addBlock(group, slab, address)) {
        return group;
      }
      filling.compareAndSet(stripe, group, null);
    }
  }

  /** Adds a block; false if the group is full. */
  private static boolean addBlock(Group group, ScopedSlab slab, long address) {
    synchronized (group) {
      if (group.isFull) {
        return false;
      }
      setGroup(slab, slab.blockAt(address), group);
      group.addresses[group.blocks++] = address;
      group.bytes += slab.blockBytes;
      group.out++;
      group.isFull = group.blocks == GROUP_BLOCKS || group.bytes >= GROUP_BYTES;
      return true;
    }
  }

  private synchronized void list(Group group) {
    Group second = first;
    group.next = second;
    if (second != null) {
      second.previous = group;
    }
    first = group;
  }

  private synchronized void unlist(Group group) {
    if (group.previous != null) {
      group.previous.next = group.next;
    } else if (first == group) {
      first = group.next;
    }
    if (group.next != null) {
      group.next.previous = group.previous;
    }
    group.previous = null; // not next: who goes through the list may stand here
  }

  @Override
  void free(long address) {
    ScopedSlab slab = (ScopedSlab) slabOf(address);
    int block = slab.blockAt(address);
    StackProbe.check(); // a block that waits must be known to its group
    Group group = putAside(slab, block);
    if (group == null) {
      super.free(address);
    } else {
      synchronized (group) {
        group.out--;
        if (group.isFull && group.out == 0) {
          tryEnd(group);
        }
      }
    }
  }

  /** The group of a block that waits from now on; null if it has none. */
  private @Nullable Group putAside(ScopedSlab slab, int block) {
    Group group;
    boolean isOut;
    slab.bin.lock();
    try {
      group = slab.groups[block];
      isOut = !slab.isFree(block) && !slab.waiting[block];
      if (isOut && group != null) {
        slab.waiting[block] = true;
        slab.aside++;
      }
    } finally {
      slab.bin.locked = 0;
    }
    if (!isOut) {
      throw notOut(slab, block);
    }
    return group;
  }

  /** Ends a group without blocks; if a segment of it is used by a native call, another time. */
  private void tryEnd(Group group) {
    try {
      end(group);
    } catch (IllegalStateException e) {
      // The next turn of the decay asks again.
    }
  }

  /**
   * Closes the scope of a group, then frees its blocks, whether they wait or not. The caller has
   * its monitor to the end: who clears the heap must not give back chunks while a segment works,
   * nor hand out blocks that are still to be freed here. What is not done when it throws is done at
   * the next turn of the decay.
   */
  private void end(Group group) {
    if (group.isEnded) {
      return;
    }
    group.isFull = true;
    if (group.arena.scope().isAlive()) {
      group.arena.close();
    }
    freeBlocks(group);
    group.isEnded = true;
    unlist(group);
  }

  /** Frees them one by one; those that were freed are not in the group any more. */
  private void freeBlocks(Group group) {
    while (group.blocks > 0) {
      long address = group.addresses[group.blocks - 1];
      ScopedSlab slab = (ScopedSlab) slabOf(address);
      freeForGood(slab, slab.blockAt(address));
      group.blocks--;
    }
  }

  /** In one step with its count: who adds up what is out sees the block wait, or free. */
  private void freeForGood(ScopedSlab slab, int block) {
    StackProbe.check(); // a slab that is in no bin any more must reach the pool
    Bin.Freed freed;
    slab.bin.lock();
    try {
      freed = slab.bin.free(slab, block, true);
      if (freed != Bin.Freed.NOT_OUT && slab.waiting[block]) {
        slab.aside--;
      }
      slab.waiting[block] = true; // a free of it is refused, as that of a waiting one is
    } finally {
      slab.bin.locked = 0;
    }
    finishFree(slab, block, freed);
  }

  @Override
  long bytesOf(long address) {
    ScopedSlab slab = (ScopedSlab) slabOf(address);
    int block = slab.blockAt(address);
    slab.bin.lock();
    boolean waits;
    try {
      waits = slab.waiting[block];
    } finally {
      slab.bin.locked = 0;
    }
    if (waits) {
      throw notOut(slab, block);
    }
    return super.bytesOf(address);
  }

  @Override
  void age(boolean atOnce) {
    if (isClosed()) {
      closeAgain();
      return;
    }
    StackProbe.check();
    for (Group group = firstGroup(); group != null; group = nextOf(group)) {
      synchronized (group) {
        if (group.out == 0 && (atOnce || group.isAged || group.isFull)) {
          tryEnd(group);
        }
        group.isAged = true;
      }
    }
    super.age(atOnce);
  }

  /** Ends what a close has left, since a segment was used by a native call. */
  private void closeAgain() {
    try {
      close();
    } catch (IllegalStateException e) {
      // The next turn of the decay asks again.
    }
  }

  private synchronized @Nullable Group firstGroup() {
    return first;
  }

  private synchronized @Nullable Group nextOf(Group group) {
    return group.next;
  }

  @Override
  void clear(boolean close) {
    StackProbe.check();
    for (Group group = firstGroup(); group != null; group = nextOf(group)) {
      synchronized (group) {
        end(group);
      }
    }
    super.clear(close);
  }
}
