package dev.offcut.memory;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Blocks of which one in so many is guarded: alone in a chunk, between pages nobody may touch.
 *
 * <pre>
 *   chunk | no access … | anything  block | no access: one page | end
 * </pre>
 *
 * <p>The block ends where the last page begins, so it is found out by its first byte past the end,
 * rounded up to 16. When it is freed, nobody may touch the chunk until it leaves quarantine.
 */
final class SampledBlocks extends Blocks {
  /** Each is a few pages, and some mappings of the kernel's, of which there are 65,530. */
  private static final int MOST_GUARDED = 256;

  private static final long QUARANTINE_BYTES = 4 << 20;

  private final int oneIn;
  private final NativeMemory memory;
  private final AtomicInteger guarded = new AtomicInteger();
  private final Quarantine quarantine = new Quarantine(QUARANTINE_BYTES);

  SampledBlocks(OpenHeaps siblings, int oneIn) {
    super(siblings);
    this.oneIn = oneIn;
    memory = allocator.memory;
  }

  @Override
  long allocate(long bytes) {
    if (ThreadLocalRandom.current().nextInt(oneIn) == 0
        && bytes > 0
        && bytes <= allocator.geometry.rootBytes()) {
      long address = allocateGuarded(bytes);
      if (address != 0) {
        return address;
      }
    }
    return super.allocate(bytes);
  }

  /** A guarded block, or 0 if there are too many, or a limit stands against it. */
  private long allocateGuarded(long bytes) {
    boolean made = false;
    try {
      if (guarded.incrementAndGet() <= MOST_GUARDED) {
        long address = guard((bytes + SizeClasses.ALIGNMENT - 1) & -SizeClasses.ALIGNMENT);
        made = true;
        return address;
      }
    } catch (MemoryLimitException e) {
      // a block that is not guarded is better than none
    } finally {
      if (!made) {
        guarded.decrementAndGet();
      }
    }
    return 0;
  }

  private long guard(long blockBytes) {
    long chunkBytes = chunkBytes(blockBytes);
    long chunk = allocator.allocateGranules(account, chunkBytes).address;
    long page = memory.pageBytes();
    long end = chunk + chunkBytes - page;
    long address = adoptOne(chunk, end - blockBytes, blockBytes);
    // Where the system refuses, for want of mappings, the block is as good as any other.
    boolean ignored = memory.protect(end, page, false);
    long before = (address & -page) - chunk;
    ignored = before > 0 && memory.protect(chunk, before, false);
    return address;
  }

  /** Never just the block: a slab that does not begin with its chunk is a guarded block. */
  private long chunkBytes(long blockBytes) {
    long least = blockBytes + SizeClasses.ALIGNMENT + memory.pageBytes();
    return allocator.granuleBytes(Math.max(least, classes.slabBytes()));
  }

  /** The slab of a guarded block stays known, with all blocks free, until it leaves quarantine. */
  @Override
  void retire(Slab slab) {
    if (slab.base == slab.chunk) {
      super.retire(slab);
      return;
    }
    long chunkBytes = chunkBytes(slab.blockBytes);
    boolean ignored = memory.protect(slab.chunk, chunkBytes, false);
    quarantine.add(slab, 0, chunkBytes);
    releaseOld(false);
  }

  @Override
  void age(boolean atOnce) {
    StackProbe.check();
    releaseOld(atOnce);
    super.age(atOnce);
  }

  @Override
  void clear(boolean close) {
    super.clear(close);
    releaseOld(true);
  }

  private void releaseOld(boolean all) {
    for (Quarantine.FreedBlock old = quarantine.next(all);
        old != null;
        old = quarantine.next(all)) {
      if (!memory.protect(old.slab().chunk, old.bytes(), true)) {
        quarantine.add(old.slab(), 0, old.bytes()); // for want of mappings; another time
        return;
      }
      super.retire(old.slab());
      guarded.decrementAndGet();
    }
  }
}
