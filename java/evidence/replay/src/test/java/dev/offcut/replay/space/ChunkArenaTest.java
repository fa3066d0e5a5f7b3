package dev.offcut.replay.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.replay.space.Space.ArenaKind;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkArenaTest {
  @ParameterizedTest
  @CsvSource({
    "CLASS, BOOT, 49152",
    "NON_CLASS, BOOT, 524288",
    "CLASS, STANDARD, 256",
    "NON_CLASS, STANDARD, 512"
  })
  void open_first_byKind(Space.Kind kind, ArenaKind arena, long words) {
    Chunks space = new FixedChunks(kind, 4 << 20);
    Objects.requireNonNull(space.open(arena));
    assertThat(space.nodes().getFirst().chunks().getFirst().words).isEqualTo(words);
  }

  @Test
  void allocate_tailsOfChunks_areUsedOnceEnoughGathered() {
    Chunks space = new FixedChunks(Space.Kind.CLASS, 4 << 20);
    Space.Arena arena = Objects.requireNonNull(space.open(ArenaKind.STANDARD));
    for (int i = 0; i < 9; i++) {
      assertThat(arena.allocate(3500)).isTrue(); // a tail of 588 in each but the last
    }
    int before = space.nodes().getFirst().chunks().size();
    for (int i = 0; i < 3; i++) { // two of them in tails, until those are too few to look at
      assertThat(arena.allocate(500)).isTrue();
    }
    assertThat(space.nodes().getFirst().chunks()).hasSize(before);
  }
}
