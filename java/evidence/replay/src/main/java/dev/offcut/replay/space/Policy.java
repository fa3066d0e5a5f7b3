package dev.offcut.replay.space;

import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A way to run spaces: an old or new design of the JVM's, or Offcut's pool. */
public interface Policy {
  /** As on the command line and in the reports. */
  String name();

  /** One line for the help. */
  String summary();

  /**
   * A space without arenas.
   *
   * @param words of a class space its size, a multiple of 8,192 (64 KiB); else how large all nodes
   *     may be together
   */
  Space space(Space.Kind kind, long words);

  /** How many small chunks the ratio variant makes a medium one of, in place of 16. */
  int SMALL_RATIO = 4;

  List<Policy> KNOWN =
      List.of(
          policy("fixed", "up to JDK 10: a free chunk keeps its size", FixedChunks::new),
          policy(
              "coalescing",
              "JDK 11 to 15 (JDK-8198423): free chunks are split and merged",
              (kind, words) ->
                  new CoalescingChunks(
                      kind, Chunk.Sizes.of(kind), CoalescingChunks.Humongous.UNALIGNED, words)),
          policy(
              "coalescing-ratio4",
              "the same, with four small chunks in a medium one instead of sixteen",
              (kind, words) ->
                  new CoalescingChunks(
                      kind,
                      Chunk.Sizes.of(kind).withRatio(SMALL_RATIO),
                      CoalescingChunks.Humongous.UNALIGNED,
                      words)),
          policy(
              "coalescing-aligned-humongous",
              "the same, with humongous chunks aligned to medium ones",
              (kind, words) ->
                  new CoalescingChunks(
                      kind, Chunk.Sizes.of(kind), CoalescingChunks.Humongous.ALIGNED, words)),
          of(
              "buddy",
              "Offcut's own pool: chunk sizes are powers of two, and arenas take neighbouring"
                  + " chunks",
              BuddySpace::new));

  static List<Policy> known() {
    return KNOWN;
  }

  static List<String> names() {
    return KNOWN.stream().map(Policy::name).toList();
  }

  static @Nullable Policy named(String name) {
    return KNOWN.stream().filter(policy -> policy.name().equals(name)).findFirst().orElse(null);
  }

  private static Policy policy(
      String name, String summary, BiFunction<Space.Kind, Long, Chunks> chunks) {
    return of(name, summary, (kind, words) -> new ChunkSpace(chunks.apply(kind, words)));
  }

  private static Policy of(
      String name, String summary, BiFunction<Space.Kind, Long, Space> spaces) {
    return new Policy() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public String summary() {
        return summary;
      }

      @Override
      public Space space(Space.Kind kind, long words) {
        return spaces.apply(kind, words);
      }
    };
  }
}
