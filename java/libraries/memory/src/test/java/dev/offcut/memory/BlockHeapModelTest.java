package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random operations against a map of what is out; {@code -Doffcut.seed=N} repeats a run. */
final class BlockHeapModelTest {
  private static final int STEPS = 40_000;

  private record Block(long address, long bytes, byte pattern) {}

  private final TreeMap<Long, Long> out = new TreeMap<>();
  private final List<Block> blocks = new ArrayList<>();
  private long refused;

  @ParameterizedTest
  @CsvSource({
    "4194304, 1024, 1073741824, false",
    "4194304, 1024, 4194304, false",
    "65536, 1024, 1048576, false",
    "16384, 256, 1048576, false",
    "4194304, 65536, 16777216, false",
    "4194304, 1024, 1073741824, true",
    "65536, 1024, 1048576, true"
  })
  void random_operations_agreeWithTheModel(
      long rootBytes, int leafBytes, long limitBytes, boolean confined) {
    long seed = Long.getLong("offcut.seed", System.nanoTime());
    System.out.println("BlockHeapModelTest " + rootBytes + ": -Doffcut.seed=" + seed);
    Random random = new Random(seed);
    try (MemoryPool pool =
        PoolInvariants.pool("model").chunks(rootBytes, leafBytes).limit(limitBytes).create()) {
      Owner owner = pool.owner().child("heap").create();
      try (BlockHeap heap = confined ? owner.openConfinedHeap() : owner.openHeap()) {
        for (int step = 0; step < STEPS; step++) {
          act(pool, heap, random);
          if (step % 64 == 0) {
            PoolInvariants.check(pool);
            check(heap);
          }
        }
        blocks.forEach(block -> heap.free(block.address));
        PoolInvariants.check(pool);
      }
      assertThat(pool.snapshot().handedOutBytes()).isZero();
      assertThat(pool.snapshot().usedBytes()).isZero();
    }
    assertThat(refused > 0).isEqualTo(limitBytes < 1 << 30);
  }

  private void check(BlockHeap heap) {
    long used = out.values().stream().mapToLong(Long::longValue).sum();
    assertThat(heap.usedBytes()).isEqualTo(used);
  }

  private void act(MemoryPool pool, BlockHeap heap, Random random) {
    int what = random.nextInt(1000);
    if (what < 480 || (blocks.isEmpty() && what < 995)) {
      allocate(heap, random);
    } else if (what < 930) {
      free(heap, random);
    } else if (what < 990) {
      reallocate(heap, random);
    } else if (what < 995) {
      misuse(heap, random);
    } else if (what < 999) {
      pool.decay();
    } else {
      pool.trim();
    }
  }

  private static long size(Random random) {
    int bits = random.nextInt(20) == 0 ? 22 : 15;
    return 1 + random.nextLong(1L << (1 + random.nextInt(bits)));
  }

  private void allocate(BlockHeap heap, Random random) {
    long bytes = size(random);
    try {
      add(heap, heap.allocate(bytes), bytes, random);
    } catch (MemoryLimitException e) {
      refused++;
    }
  }

  private void add(BlockHeap heap, long address, long bytes, Random random) {
    long usable = heap.bytesOf(address);
    assertThat(usable).isGreaterThanOrEqualTo(bytes);
    Map.Entry<Long, Long> below = out.lowerEntry(address + usable);
    assertThat(below == null || below.getKey() + below.getValue() <= address).isTrue();
    out.put(address, usable);
    byte pattern = (byte) random.nextInt();
    RawMemory.fill(address, bytes, pattern);
    blocks.add(new Block(address, bytes, pattern));
  }

  private Block remove(Random random) {
    int at = random.nextInt(blocks.size());
    Block block = blocks.get(at);
    blocks.set(at, blocks.getLast());
    blocks.removeLast();
    out.remove(block.address);
    assertThat(RawMemory.run(block.address, block.bytes, block.pattern)).isEqualTo(block.bytes);
    return block;
  }

  private void free(BlockHeap heap, Random random) {
    long address = remove(random).address;
    heap.free(address);
    if (random.nextInt(10) == 0) {
      assertThatThrownBy(() -> heap.free(address)).isInstanceOf(DoubleFreeException.class);
    }
  }

  private void reallocate(BlockHeap heap, Random random) {
    Block block = remove(random);
    long bytes = size(random);
    try {
      long moved = heap.reallocate(block.address, bytes);
      long kept = Math.min(block.bytes, bytes);
      assertThat(RawMemory.run(moved, kept, block.pattern)).isEqualTo(kept);
      add(heap, moved, bytes, random);
    } catch (MemoryLimitException e) {
      refused++;
      blocks.add(block);
      out.put(block.address, heap.bytesOf(block.address));
    }
  }

  private void misuse(BlockHeap heap, Random random) {
    Block block = blocks.get(random.nextInt(blocks.size()));
    long inside = block.address + 1 + random.nextInt(15);
    assertThatThrownBy(() -> heap.free(inside)).isInstanceOf(ForeignFreeException.class);
  }
}
