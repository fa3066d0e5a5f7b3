package dev.offcut.memory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Takes memory until the budget of its container refuses it, in chunks that it writes, beside
 * direct buffers that grow; gives some back, and goes on. Prints how many refusals there were, and
 * how many did not name the largest owner.
 *
 * <p>Arguments: how many refusals, whether there is a budget, the bytes at which to stop without
 * one.
 */
final class BudgetProgram {
  private static final long MIB = 1 << 20;
  private static final int BUFFER_BYTES = 256 << 10;

  private final SplittableRandom random = new SplittableRandom(7);
  private final MemoryPool cachePool;
  private final MemoryPool workPool;
  private final Owner cache;
  private final Owner worker;
  private final List<Long> cached = new ArrayList<>();
  private final List<Long> worked = new ArrayList<>();
  private final List<ByteBuffer> buffers = new ArrayList<>();
  private long wrong;

  private BudgetProgram(boolean hasBudget) {
    MemoryPool.Builder one = MemoryPool.named("cache");
    MemoryPool.Builder other = MemoryPool.named("work");
    if (hasBudget) {
      Budget budget = Budget.ofContainer().create();
      one.budget(budget);
      other.budget(budget);
    }
    cachePool = one.create();
    workPool = other.create();
    cache = cachePool.owner().child("entries").create();
    worker = workPool.owner().child("requests").create();
  }

  public static void main(String[] args) {
    BudgetProgram program = new BudgetProgram(Boolean.parseBoolean(args[1]));
    int refusals = 0;
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      program.fill(Long.parseLong(args[2]));
      refusals++;
      program.giveSomeBack();
    }
    program.giveAllBack();
    System.out.println("refusals " + refusals);
    System.out.println("wrong " + program.wrong);
    System.out.println("left " + (program.cache.chargedBytes() + program.worker.chargedBytes()));
  }

  /** Until a refusal. */
  private void fill(long most) {
    try {
      for (long taken = 0; taken < most; taken += 3 * MIB) {
        cached.add(written(cache, MIB));
        cached.add(written(cache, MIB));
        worked.add(written(worker, (1 + random.nextInt(16)) * (MIB / 16)));
        if (buffers.size() < 32) {
          buffers.add(ByteBuffer.allocateDirect(BUFFER_BYTES));
        }
      }
    } catch (MemoryLimitException e) {
      wrong +=
          String.valueOf(e.getMessage())
                  .contains("The largest holder is owner entries of pool cache")
              ? 0
              : 1;
    }
  }

  private static long written(Owner owner, long bytes) {
    long chunk = owner.allocateChunk(bytes);
    RawMemory.fill(chunk, bytes, (byte) 1);
    return chunk;
  }

  private void giveSomeBack() {
    for (int i = cached.size() / 4; i > 0; i--) {
      cachePool.freeChunk(cached.removeLast());
    }
    worked.forEach(workPool::freeChunk);
    worked.clear();
    buffers.clear();
  }

  private void giveAllBack() {
    cached.forEach(cachePool::freeChunk);
    worked.forEach(workPool::freeChunk);
    PoolInvariants.check(cachePool);
    PoolInvariants.check(workPool);
    cachePool.close();
    workPool.close();
  }
}
