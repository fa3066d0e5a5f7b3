package dev.offcut.command;

import dev.offcut.memory.MemoryPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Problems of a {@link SeededProgram} with what JDK 17 does not have: arenas and pools. */
final class NewerSeeds implements SeededProgram.Newer {
  private static final double EXACT = 0.05;
  private static final int LEAF = 1 << 10;
  private static final int GRANULE = 64 << 10;

  private static final List<Object> HELD = new ArrayList<>();

  @Override
  public SeededProgram.Truth make(String kind, long bytes, Random random) {
    return switch (kind) {
      case "lost-arenas" -> loseArenas(bytes, random);
      case "pooled" -> scatter(bytes);
      default -> closeArenas(bytes, random);
    };
  }

  private static SeededProgram.Truth loseArenas(long bytes, Random random) {
    boolean shared = random.nextBoolean();
    long lost = 0;
    while (lost < bytes) {
      int size = 1_000 + random.nextInt(100_000);
      MemorySegment segment = (shared ? Arena.ofShared() : Arena.ofConfined()).allocate(size);
      segment.fill((byte) 1);
      lost += size;
    }
    return new SeededProgram.Truth(
        "lost", shared ? "arena.shared" : "arena.confined", "NewerSeeds.loseArenas", lost, EXACT);
  }

  /** One small chunk stays in each granule, so that none goes back to the system. */
  @SuppressWarnings("restricted") // it writes into its own chunk
  private static SeededProgram.Truth scatter(long bytes) {
    MemoryPool pool = MemoryPool.named("scattered").limit(4 * bytes).create();
    List<Long> chunks = new ArrayList<>();
    for (long taken = 0; taken < bytes; taken += LEAF) {
      long chunk = pool.owner().allocateChunk(LEAF);
      MemorySegment.ofAddress(chunk).reinterpret(LEAF).fill((byte) 1);
      chunks.add(chunk);
    }
    for (int i = 0; i < chunks.size(); i++) {
      if (i % (GRANULE / LEAF) != 0) {
        pool.freeChunk(chunks.get(i));
      }
    }
    HELD.add(pool);
    return new SeededProgram.Truth("pooled", "", "scattered", bytes, 0.15);
  }

  private static SeededProgram.Truth closeArenas(long bytes, Random random) {
    for (long done = 0; done < 4 * bytes; ) {
      int size = 1_000 + random.nextInt(100_000);
      try (Arena arena = Arena.ofConfined()) {
        arena.allocate(size).fill((byte) 1);
      }
      done += size;
    }
    return SeededProgram.Truth.HEALTHY;
  }
}
