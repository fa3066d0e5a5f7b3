package dev.offcut.replay.space;

import java.util.Map;

/**
 * What chunk an arena is handed: first by its kind, then by what it has. A standard arena has four
 * small chunks before it gets medium ones, the first counted.
 */
final class HandOut {
  /** The boot loader's first chunk outside class space: 4 MiB. */
  static final long BOOT_FIRST_NON_CLASS_WORDS = 512 << 10;

  /** The boot loader's first chunk in class space: larger than medium, so that no other gets it. */
  private static final long BOOT_FIRST_CLASS_WORDS = 48 << 10;

  private static final int SMALL_LIMIT = 4;

  /** So many specialized chunks a hidden class is given outside class space. */
  private static final int HIDDEN_SPECIALIZED_LIMIT = 4;

  private final SpaceKind space;
  private final ChunkSizes sizes;

  HandOut(SpaceKind space, ChunkSizes sizes) {
    this.space = space;
    this.sizes = sizes;
  }

  /** The words of an arena's first chunk. */
  long first(ArenaKind kind) {
    return switch (kind) {
      case BOOT -> space == SpaceKind.CLASS ? BOOT_FIRST_CLASS_WORDS : BOOT_FIRST_NON_CLASS_WORDS;
      case STANDARD -> sizes.small();
      case HIDDEN, REFLECTION -> sizes.specialized();
    };
  }

  /**
   * The words of the next chunk of an arena.
   *
   * @param chunks how many it has of each {@link ChunkSize}
   * @param words what must fit, with the header
   */
  long next(ArenaKind kind, Map<ChunkSize, Integer> chunks, long words) {
    if (words > sizes.medium()) {
      return words;
    }
    if (kind == ArenaKind.HIDDEN
        && space == SpaceKind.NON_CLASS
        && chunks.getOrDefault(ChunkSize.SPECIALIZED, 0) < HIDDEN_SPECIALIZED_LIMIT
        && words <= sizes.specialized()) {
      return sizes.specialized();
    }
    boolean young =
        !chunks.containsKey(ChunkSize.MEDIUM)
            && chunks.getOrDefault(ChunkSize.SMALL, 0) < SMALL_LIMIT;
    return young && words <= sizes.small() ? sizes.small() : sizes.medium();
  }
}
