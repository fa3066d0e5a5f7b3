package dev.offcut.replay.space;

import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A way to run spaces: an old or new design of the JVM's, or Offcut's pool.
 *
 * @param name as on the command line and in the reports
 * @param spaces makes a space of a kind and so many words
 */
public record Policy(String name, BiFunction<Space.Kind, Long, Space> spaces) {
  /** How many small chunks the ratio variant makes a medium one of, in place of 16. */
  static final int SMALL_RATIO = 4;

  private static final List<Policy> KNOWN =
      List.of(
          new Policy("fixed", FixedChunks::new),
          new Policy(
              "coalescing",
              (kind, words) ->
                  new CoalescingChunks(
                      kind, Chunk.Sizes.of(kind), CoalescingChunks.Humongous.UNALIGNED, words)),
          new Policy(
              "coalescing-ratio4",
              (kind, words) ->
                  new CoalescingChunks(
                      kind,
                      Chunk.Sizes.of(kind).withRatio(SMALL_RATIO),
                      CoalescingChunks.Humongous.UNALIGNED,
                      words)),
          new Policy(
              "coalescing-aligned-humongous",
              (kind, words) ->
                  new CoalescingChunks(
                      kind, Chunk.Sizes.of(kind), CoalescingChunks.Humongous.ALIGNED, words)),
          new Policy("buddy", BuddySpace::new));

  /** All of them, in the order of the reports. */
  public static List<Policy> known() {
    return KNOWN;
  }

  public static List<String> names() {
    return KNOWN.stream().map(Policy::name).toList();
  }

  /** The policy of that name, or null. */
  public static @Nullable Policy named(String name) {
    return KNOWN.stream().filter(policy -> policy.name().equals(name)).findFirst().orElse(null);
  }

  /**
   * A space without arenas.
   *
   * @param words of a class space its size, a multiple of 8,192 (64 KiB); else how large all nodes
   *     may be together
   */
  public Space space(Space.Kind kind, long words) {
    return spaces.apply(kind, words);
  }
}
