package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random operations against a map of what is out; {@code -Doffcut.seed=N} repeats a run. */
final class ChunksModelTest {
  private static final int STEPS = 20_000;

  private final TreeMap<Long, Long> out = new TreeMap<>();
  private final List<Long> addresses = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({"4194304, 1024", "2097152, 1024", "65536, 1024", "1048576, 256", "67108864, 65536"})
  void random_operations_agreeWithTheModel(long rootBytes, int leafBytes) {
    long seed = Long.getLong("offcut.seed", System.nanoTime());
    System.out.println("ChunksModelTest " + rootBytes + ": -Doffcut.seed=" + seed);
    Random random = new Random(seed);
    try (MemoryPool pool =
        PoolInvariants.pool("model")
            .chunks(rootBytes, leafBytes)
            .reserveLimit(32 * rootBytes)
            .create()) {
      List<Owner> owners =
          List.of(
              pool.owner(),
              pool.owner().child("long").lifetime(Lifetime.LONG).create(),
              pool.owner().child("short").create());
      for (int step = 0; step < STEPS; step++) {
        act(pool, owners.get(random.nextInt(owners.size())), random);
        if (step % 16 == 0) {
          PoolInvariants.check(pool);
        }
      }
      addresses.forEach(pool::freeChunk);
      PoolInvariants.check(pool);
      pool.trim(); // what is kept
      PoolInvariants.check(pool);
      assertThat(pool.snapshot().handedOutBytes()).isZero();
      PoolSnapshot.FreeChunks roots = pool.snapshot().freeChunks().getFirst();
      assertThat(roots.bytes() * roots.count()).isEqualTo(pool.snapshot().reservedBytes());
    }
  }

  private void act(MemoryPool pool, Owner owner, Random random) {
    int what = random.nextInt(100);
    if (what < 50 || (addresses.isEmpty() && what < 98)) {
      take(pool, owner, random);
    } else if (what < 95) {
      give(pool, random);
    } else if (what < 98) {
      misuse(pool, random);
    } else {
      pool.decay();
      if (what == 99) {
        pool.trim();
      }
    }
  }

  private void take(MemoryPool pool, Owner owner, Random random) {
    Geometry geometry = pool.allocator().geometry;
    int bits = 1 + random.nextInt(Long.numberOfTrailingZeros(geometry.rootBytes()) + 2);
    long bytes = 1 + random.nextLong(1L << bits);
    long address;
    try {
      address = owner.allocateChunk(bytes);
    } catch (MemoryLimitException e) {
      assertThat(e.snapshot().largestFreeBytes())
          .isLessThan(Math.max(bytes, geometry.granuleBytes()));
      return;
    }
    long size =
        bytes > geometry.rootBytes()
            ? (bytes + geometry.granuleBytes() - 1)
                / geometry.granuleBytes()
                * geometry.granuleBytes()
            : geometry.bytes(geometry.level(bytes));
    assertThat(size).isGreaterThanOrEqualTo(bytes);
    assertThat(address % Math.min(Long.highestOneBit(size), geometry.rootBytes())).isZero();
    Map.Entry<Long, Long> below = out.lowerEntry(address + size);
    assertThat(below == null || below.getKey() + below.getValue() <= address).isTrue();
    out.put(address, size);
    addresses.add(address);
  }

  private void give(MemoryPool pool, Random random) {
    int at = random.nextInt(addresses.size());
    long address = addresses.get(at);
    addresses.set(at, addresses.getLast());
    addresses.removeLast();
    pool.freeChunk(address);
    out.remove(address);
    if (random.nextInt(10) == 0) {
      assertThatThrownBy(() -> pool.freeChunk(address)).isInstanceOf(DoubleFreeException.class);
    }
  }

  private void misuse(MemoryPool pool, Random random) {
    long address = addresses.get(random.nextInt(addresses.size()));
    long inside = 1 + random.nextLong(Objects.requireNonNull(out.get(address)) - 1);
    assertThatThrownBy(() -> pool.freeChunk(address + inside))
        .isInstanceOf(ForeignFreeException.class);
    assertThatThrownBy(() -> pool.freeChunk(16)).isInstanceOf(ForeignFreeException.class);
  }
}
