package dev.offcut.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.memory.MemoryPool;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResidentTest {
  @Test
  void of_pages_countsThoseThatWereTouchedAndAreStillMapped() {
    MemoryPool pool = MemoryPool.named("test").create();
    long chunk = pool.owner().allocateChunk(64 << 10);
    Memory.write(chunk + Resident.PAGE_BYTES, 1);
    Set<Long> pages = Set.of(chunk, chunk + Resident.PAGE_BYTES);
    assertThat(Resident.of(pages)).isEqualTo(Resident.PAGE_BYTES);
    pool.freeChunk(chunk);
    pool.close();
    assertThat(Resident.of(pages)).isZero();
  }

  @Test
  void ofProcess_afterTouching_grows() {
    try (MemoryPool pool = MemoryPool.named("test").create()) {
      long bytes = 64 << 20;
      long chunk = pool.owner().allocateChunk(bytes);
      long before = Resident.ofProcess();
      Memory.fill(chunk, bytes);
      assertThat(Resident.ofProcess() - before).isGreaterThan(bytes / 2);
      pool.freeChunk(chunk);
    }
  }
}
