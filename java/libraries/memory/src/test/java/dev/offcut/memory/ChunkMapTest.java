package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A pool's picture, and how it stays small. */
class ChunkMapTest {
  private static String joined(String granules, int together) {
    StringBuilder rows = new StringBuilder();
    ChunkMap.append(rows, granules, together, 0);
    return rows.toString();
  }

  @Test
  void cells_areWhatChunksAre() {
    try (MemoryPool pool = MemoryPool.named("cells").create()) {
      long large = pool.owner().allocateChunk(192 << 10);
      long small = pool.owner().allocateChunk(1 << 10);
      long whole = pool.owner().allocateChunk(64 << 10);
      ChunkMap cells = ChunkMap.of(pool.allocator());
      assertThat(cells.cellBytes).isEqualTo(64 << 10);
      String all = cells.rows.replace("\n", "");
      assertThat(all).hasSize((int) (pool.snapshot().reservedBytes() / (64 << 10)));
      assertThat(all.chars().filter(cell -> cell == '+').count()).as(all).isOne();
      assertThat(all.chars().filter(cell -> cell == '#').count()).as(all).isBetween(4L, 5L);
      assertThat(cells.rows.lines()).allMatch(row -> row.length() == 64);
      pool.freeChunk(large);
      pool.freeChunk(small);
      pool.freeChunk(whole);
    }
  }

  @Test
  void granulesTogether_areWhatTheyHaveInCommon() {
    assertThat(joined("##.._.#_++", 2)).isEqualTo("#..++");
    assertThat(joined("____:_#", 4)).isEqualTo("_+");
    assertThat(joined("###", 2)).isEqualTo("##");
  }

  @Test
  void rows_haveSixtyFourCells_andRegionsBeginTheirOwn() {
    StringBuilder rows = new StringBuilder();
    int made = ChunkMap.append(rows, "#".repeat(70), 1, 0);
    made = ChunkMap.append(rows, "...", 1, made);
    assertThat(made).isEqualTo(73);
    assertThat(rows).hasToString("#".repeat(64) + "\n######\n...");
  }

  @Test
  void cells_areNoMoreThanFit() {
    StringBuilder rows = new StringBuilder();
    assertThat(ChunkMap.append(rows, "#".repeat(ChunkMap.MOST + 9), 1, 5)).isEqualTo(ChunkMap.MOST);
    assertThat(rows.toString().replace("\n", "")).hasSize(ChunkMap.MOST - 5);
  }
}
