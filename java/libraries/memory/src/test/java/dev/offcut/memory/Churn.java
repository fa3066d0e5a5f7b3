package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** One thread's random chunks and arenas, each with its own pattern in it. */
final class Churn implements Runnable {
  private static final int STEPS = 500_000;
  private static final int LIVE = 64;

  private final Owner owner;
  private final Random random;

  Churn(Owner owner, long seed) {
    this.owner = owner;
    random = new Random(seed);
  }

  @Override
  public void run() {
    long[] chunks = new long[LIVE];
    for (int step = 0; step < STEPS; step++) {
      int at = random.nextInt(LIVE);
      if (chunks[at] != 0) {
        assertThat(RawMemory.ALL.get(ValueLayout.JAVA_LONG, chunks[at])).isEqualTo(chunks[at]);
        owner.pool().freeChunk(chunks[at]);
        chunks[at] = 0;
      } else {
        chunks[at] = owner.allocateChunk(1L << (10 + random.nextInt(8)));
        RawMemory.ALL.set(ValueLayout.JAVA_LONG, chunks[at], chunks[at]);
      }
      if (step % 16 == 0) {
        useAnArena();
      }
    }
    for (long chunk : chunks) {
      if (chunk != 0) {
        owner.pool().freeChunk(chunk);
      }
    }
  }

  private void useAnArena() {
    try (PoolArena arena = owner.openArena()) {
      for (int i = random.nextInt(12); i > 0; i--) {
        MemorySegment block = arena.allocate(random.nextInt(2000));
        if (block.byteSize() > 0 && block.get(ValueLayout.JAVA_BYTE, block.byteSize() - 1) != 0) {
          throw new AssertionError("not zero: " + block);
        }
        block.fill((byte) 1);
      }
    }
  }
}
