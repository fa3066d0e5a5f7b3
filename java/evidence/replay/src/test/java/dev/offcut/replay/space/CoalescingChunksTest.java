package dev.offcut.replay.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.replay.space.CoalescingChunks.Humongous;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CoalescingChunksTest {
  private static final int SPECIALIZED = 128;
  private static final int SMALL = 256;
  private static final int MEDIUM = 4096;
  private static final long SPACE = 8L * MEDIUM;

  private final CoalescingChunks chunks = of(Humongous.UNALIGNED);

  private static CoalescingChunks of(Humongous humongous) {
    Chunk.Sizes sizes = Chunk.Sizes.of(Space.Kind.CLASS);
    return new CoalescingChunks(Space.Kind.CLASS, sizes, humongous, SPACE);
  }

  private Chunk take(long words) {
    return Objects.requireNonNull(chunks.take(words));
  }

  private List<Chunk> takeSmalls(int count) {
    List<Chunk> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(take(SMALL));
    }
    return all;
  }

  // ---- Alignment

  @Test
  void take_unalignedTop_cutsAlignmentChunksIntoTheFreeLists() {
    take(SPECIALIZED);
    Chunk medium = take(MEDIUM);
    assertThat(medium.from).isEqualTo(MEDIUM);
    List<Chunk> all = chunks.nodes().getFirst().chunks();
    assertThat(all.get(1).words).isEqualTo(SPECIALIZED); // until the top is aligned to a small one
    assertThat(all.subList(2, all.size() - 1)).hasSize(15).allMatch(c -> c.words == SMALL);
    assertThat(all.subList(1, all.size() - 1)).allMatch(c -> c.aligns);
    assertThat(chunks.free.alignmentMaxWords).isEqualTo(MEDIUM - SPECIALIZED);
  }

  @Test
  void take_alignmentChunks_areUsedBeforeTheTop() {
    take(SPECIALIZED);
    take(MEDIUM);
    assertThat(take(SMALL).aligns).isTrue();
  }

  /**
   * The bound that the proposal gives for unused alignment chunks, 64 KiB, holds as long as small
   * chunks are asked for: humongous and medium ones in turn leave some before each medium one.
   */
  @Test
  void take_humongousAndMediumInTurn_leavesMoreAlignmentThanPromised() {
    CoalescingChunks large =
        new CoalescingChunks(
            Space.Kind.CLASS, Chunk.Sizes.of(Space.Kind.CLASS), Humongous.UNALIGNED, 64L * MEDIUM);
    for (int i = 0; i < 10; i++) {
      Objects.requireNonNull(large.take(MEDIUM + SPECIALIZED));
      Objects.requireNonNull(large.take(MEDIUM));
    }
    assertThat(large.free.alignmentMaxWords).isEqualTo(10L * (MEDIUM - SPECIALIZED));
    assertThat(Words.toBytes(large.free.alignmentMaxWords)).isGreaterThan(64 << 10);
  }

  // ---- Splitting

  @Test
  void take_onlyALargerFreeChunk_splitsIt() {
    chunks.giveBack(take(MEDIUM));
    Chunk part = take(SPECIALIZED);
    assertThat(part.from).isZero();
    assertThat(chunks.nodes().getFirst().top).isEqualTo(MEDIUM);
  }

  @Test
  void take_freeOfTheSize_isTakenBeforeALargerIsSplit() {
    Chunk small = take(SMALL);
    take(SMALL); // so that the first cannot be merged
    Chunk medium = take(MEDIUM);
    chunks.giveBack(small);
    chunks.giveBack(medium);
    assertThat(take(SMALL)).isSameAs(small);
    assertThat(take(MEDIUM)).isSameAs(medium);
  }

  @Test
  void take_freeHumongous_isNeverSplit() {
    chunks.giveBack(take(2 * MEDIUM));
    assertThat(take(SMALL).from).isEqualTo(2 * MEDIUM);
  }

  // ---- Coalescing

  @Test
  void giveBack_allOfARegion_makesOneMediumChunk() {
    takeSmalls(16).forEach(chunks::giveBack);
    Chunk merged = chunks.nodes().getFirst().chunks().getFirst();
    assertThat(merged.words).isEqualTo(MEDIUM);
    assertThat(take(MEDIUM)).isSameAs(merged);
  }

  @Test
  void giveBack_oneChunkInUse_blocksTheRegion() {
    List<Chunk> smalls = takeSmalls(16);
    smalls.subList(1, 16).forEach(chunks::giveBack);
    assertThat(chunks.largestFree()).isEqualTo(7 * MEDIUM);
    assertThat(chunks.free.largest()).isEqualTo(SMALL);
    chunks.giveBack(smalls.getFirst());
    assertThat(chunks.free.largest()).isEqualTo(MEDIUM);
  }

  @Test
  void giveBack_regionBeyondTheTop_waits() {
    takeSmalls(15).forEach(chunks::giveBack);
    assertThat(chunks.free.largest()).isEqualTo(SMALL);
  }

  @Test
  void giveBack_twoSpecializedOfASmallRegion_makeASmallOne() {
    Chunk first = take(SPECIALIZED);
    Chunk second = take(SPECIALIZED);
    Chunk third = take(SPECIALIZED);
    chunks.giveBack(second);
    chunks.giveBack(third); // of another region
    assertThat(chunks.free.largest()).isEqualTo(SPECIALIZED);
    chunks.giveBack(first);
    assertThat(chunks.free.largest()).isEqualTo(SMALL);
  }

  @Test
  void giveBack_humongousStraddlesTheStart_blocksTheRegion() {
    Chunk humongous = take(MEDIUM + SMALL); // begins at 0, ends inside the second region
    List<Chunk> smalls = takeSmalls(15); // the rest of that region
    smalls.forEach(chunks::giveBack);
    assertThat(chunks.free.largest()).isEqualTo(SMALL);
    chunks.giveBack(humongous);
    assertThat(chunks.free.largest()).isEqualTo(MEDIUM + SMALL); // a free one blocks as well
  }

  @Test
  void take_alignedHumongous_beginsAndEndsAtMediumChunks() {
    CoalescingChunks aligned = of(Humongous.ALIGNED);
    Objects.requireNonNull(aligned.take(SMALL));
    Chunk humongous = Objects.requireNonNull(aligned.take(MEDIUM + SMALL));
    assertThat(humongous.from).isEqualTo(MEDIUM);
    assertThat(humongous.words).isEqualTo(2 * MEDIUM);
  }

  // ---- The other space

  @Test
  void retire_tailOfANode_isCutAlignedAndMerged() {
    Chunk.Sizes sizes = Chunk.Sizes.of(Space.Kind.NON_CLASS);
    CoalescingChunks elsewhere =
        new CoalescingChunks(Space.Kind.NON_CLASS, sizes, Humongous.UNALIGNED, 4 << 20);
    Objects.requireNonNull(elsewhere.take((1 << 20) - 2 * 8192 - 128)); // 2 mediums and a bit left
    Objects.requireNonNull(elsewhere.take(4 * 8192)); // fits no more
    assertThat(elsewhere.nodes()).hasSize(2);
    assertThat(elsewhere.nodes().getFirst().room()).isZero();
    assertThat(elsewhere.free.words).isEqualTo(2 * 8192 + 128);
    assertThat(elsewhere.free.largest()).isEqualTo(8192);
  }
}
