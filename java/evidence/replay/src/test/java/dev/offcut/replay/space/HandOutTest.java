package dev.offcut.replay.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.replay.space.ChunkArena.HandOut;
import dev.offcut.replay.space.Space.ArenaKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandOutTest {
  @ParameterizedTest
  @CsvSource({"BOOT, 49152, 524288", "STANDARD, 256, 512", "HIDDEN, 128, 128"})
  void first_byKind(ArenaKind kind, long inClassSpace, long elsewhere) {
    assertThat(of(Space.Kind.CLASS).first(kind)).isEqualTo(inClassSpace);
    assertThat(of(Space.Kind.NON_CLASS).first(kind)).isEqualTo(elsewhere);
  }

  @Test
  void next_hiddenOutsideClassSpace_isFourSpecializedThenSmall() {
    assertThat(handed(Space.Kind.NON_CLASS, ArenaKind.HIDDEN, 100, 12))
        .startsWith(128L, 128L, 128L, 128L, 512L);
    assertThat(handed(Space.Kind.CLASS, ArenaKind.HIDDEN, 100, 5)).startsWith(128L, 256L);
  }

  @Test
  void take_tailsOfChunks_areUsedOnceEnoughGathered() {
    ChunkSpace space = space(Space.Kind.CLASS);
    Space.Arena arena = Objects.requireNonNull(space.open(ArenaKind.STANDARD));
    for (int i = 0; i < 9; i++) {
      assertThat(arena.allocate(3500)).isTrue(); // a tail of 588 in each but the last
    }
    int before = sizes(space).size();
    for (int i = 0; i < 3; i++) { // two of them in tails, until those are too few to look at
      assertThat(arena.allocate(500)).isTrue();
    }
    assertThat(sizes(space)).hasSize(before);
  }

  private static HandOut of(Space.Kind kind) {
    return new HandOut(kind, Chunk.Sizes.of(kind));
  }

  private static ChunkSpace space(Space.Kind kind) {
    return new ChunkSpace(new FixedChunks(kind, 4 << 20));
  }

  /** The chunks of an arena that allocates so many blocks. */
  private static List<Long> handed(Space.Kind space, ArenaKind kind, long words, int blocks) {
    ChunkSpace all = space(space);
    Space.Arena arena = Objects.requireNonNull(all.open(kind));
    for (int i = 0; i < blocks; i++) {
      assertThat(arena.allocate(words)).isTrue();
    }
    return sizes(all);
  }

  private static List<Long> sizes(ChunkSpace space) {
    List<Long> sizes = new ArrayList<>();
    space.chunks.nodes().forEach(node -> node.chunks().forEach(c -> sizes.add(c.words)));
    return Collections.unmodifiableList(sizes);
  }
}
