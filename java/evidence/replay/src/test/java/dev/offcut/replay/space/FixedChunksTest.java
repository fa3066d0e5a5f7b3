package dev.offcut.replay.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.replay.space.Space.ArenaKind;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FixedChunksTest {
  private static final int SMALL = 256;
  private static final int MEDIUM = 4096;
  private static final long SPACE = 4L * MEDIUM;

  private final FixedChunks chunks = new FixedChunks(Space.Kind.CLASS, SPACE);

  private Chunk take(long words) {
    return Objects.requireNonNull(chunks.take(words));
  }

  @Test
  void take_sizes_areTheLeastThatHold() {
    assertThat(take(1).words).isEqualTo(128);
    assertThat(take(128).words).isEqualTo(128);
    assertThat(take(129).words).isEqualTo(SMALL);
    assertThat(take(257).words).isEqualTo(MEDIUM);
    assertThat(take(MEDIUM + 1).words).isEqualTo(MEDIUM + 128);
  }

  @Test
  void take_chunks_followEachOtherUnaligned() {
    take(SMALL);
    assertThat(take(MEDIUM).from).isEqualTo(SMALL);
  }

  @Test
  void take_freeOfAnotherSize_isOfNoUse() {
    for (int i = 0; i < SPACE / SMALL; i++) {
      take(SMALL);
    }
    chunks.nodes().getFirst().chunks().forEach(chunks::giveBack);
    assertThat(chunks.take(MEDIUM)).isNull();
    assertThat(chunks.take(128)).isNull();
    assertThat(chunks.free.words).isEqualTo(SPACE);
    assertThat(chunks.largestFree()).isEqualTo(SMALL);
  }

  @Test
  void take_freeOfTheSame_isTheOneReturnedLast() {
    Chunk first = take(SMALL);
    Chunk second = take(SMALL);
    chunks.giveBack(second);
    chunks.giveBack(first);
    assertThat(take(SMALL)).isSameAs(first);
    assertThat(take(SMALL)).isSameAs(second);
  }

  @Test
  void take_freeHumongous_isTheLeastThatFitsAndNotSplit() {
    Chunk large = take(MEDIUM + 1024);
    Chunk larger = take(MEDIUM + 2048);
    chunks.giveBack(larger);
    chunks.giveBack(large);
    assertThat(take(MEDIUM + 1)).isSameAs(large);
    assertThat(take(MEDIUM + 1)).isSameAs(larger);
  }

  @Test
  void allocate_spaceIsFull_takesAFreeSmallChunkForASmallBlock() {
    Space.Arena keeper = Objects.requireNonNull(chunks.open(ArenaKind.STANDARD));
    Space.Arena leaver = Objects.requireNonNull(chunks.open(ArenaKind.STANDARD));
    while (keeper.allocate(MEDIUM - 6)) {
      // mediums, until none fits
    }
    leaver.close();
    assertThat(keeper.allocate(SMALL - 6 + 1)).isFalse();
    assertThat(keeper.allocate(SMALL - 6)).isTrue();
  }

  @Test
  void allocate_outsideClassSpace_retiresTheNodeAndAddsOne() {
    FixedChunks elsewhere = new FixedChunks(Space.Kind.NON_CLASS, 4 << 20);
    int medium = 8192;
    Objects.requireNonNull(elsewhere.take(512)); // so that the node's tail is no whole medium
    while (elsewhere.nodes().size() == 1) {
      Objects.requireNonNull(elsewhere.take(medium));
    }
    Node first = elsewhere.nodes().getFirst();
    assertThat(first.room()).isZero();
    assertThat(elsewhere.free.words).isEqualTo(medium - 512);
    assertThat(elsewhere.nodes().getLast().words).isEqualTo(256 << 10);
  }

  @Test
  void take_humongousLargerThanANode_hasANodeOfItsSize() {
    FixedChunks elsewhere = new FixedChunks(Space.Kind.NON_CLASS, 8 << 20);
    Objects.requireNonNull(elsewhere.take((1 << 20) - 128));
    Objects.requireNonNull(elsewhere.take((1 << 20) + 1));
    assertThat(elsewhere.nodes().getLast().words).isEqualTo((1 << 20) + 8192);
  }

  @Test
  void purge_nodesNobodyUses_areGivenBackButForTheLast() {
    FixedChunks elsewhere = new FixedChunks(Space.Kind.NON_CLASS, 8 << 20);
    while (elsewhere.nodes().size() < 3) {
      Objects.requireNonNull(elsewhere.take(8192));
    }
    Chunk kept = elsewhere.nodes().get(1).chunks().getFirst();
    for (Node node : elsewhere.nodes()) {
      node.chunks().stream()
          .filter(chunk -> chunk != kept && chunk.inUse)
          .forEach(elsewhere::giveBack);
    }
    Node last = elsewhere.nodes().getLast();
    elsewhere.purge();
    assertThat(elsewhere.nodes()).containsExactly(kept.node, last);
    elsewhere.giveBack(kept);
    elsewhere.purge();
    assertThat(elsewhere.nodes()).containsExactly(last);
  }
}
