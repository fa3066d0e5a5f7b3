package dev.offcut.replay.space;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Chunks from JDK 11 to 15 (JDK-8198423): a free chunk is split for a smaller one and, when it is
 * returned, merged with its neighbours. Three rules make that cheap:
 *
 * <ul>
 *   <li>Chunks of a fixed size are aligned to it. Where the next one would not be, what lies before
 *       it is cut into <em>alignment chunks</em>, which go to the free lists.
 *   <li>So a chunk's place says where the larger one would begin that it could be part of.
 *   <li>It is made if all of that is free, and chunks begin at its start and behind its end. A
 *       humongous chunk, aligned to the smallest size only, may straddle either.
 * </ul>
 *
 * Humongous chunks are neither split nor merged. HotSpot looks all of this up in bits; here the
 * chunks of the node are walked.
 */
final class CoalescingChunks extends Chunks {
  /** The words of a chunk's header: 64 bytes, for the origin and two flags are in it. */
  private static final int HEADER_WORDS = 8;

  /** Where humongous chunks begin. */
  enum Humongous {
    /** At a multiple of the smallest chunk. */
    UNALIGNED,
    /** At a multiple of a medium chunk, and as large: then HotSpot needs no bits for starts. */
    ALIGNED
  }

  private final Humongous humongous;

  CoalescingChunks(Space.Kind kind, Chunk.Sizes sizes, Humongous humongous, long limit) {
    super(kind, sizes, HEADER_WORDS, limit);
    this.humongous = humongous;
    begin();
  }

  @Override
  long humongousUnit() {
    return humongous == Humongous.ALIGNED ? sizes.medium() : sizes.specialized();
  }

  // ---- Taking

  @Override
  @Nullable Chunk takeFree(Chunk.Size size, long words) {
    if (size == Chunk.Size.HUMONGOUS) {
      return free.takeAtLeast(words);
    }
    for (Chunk.Size from : Chunk.Size.values()) {
      if (from.compareTo(size) >= 0 && from != Chunk.Size.HUMONGOUS) {
        Chunk chunk = free.take(sizes.words(from));
        if (chunk != null) {
          return from == size ? chunk : split(chunk, size);
        }
      }
    }
    return null;
  }

  /**
   * Replaces a chunk: one of {@code size} at its start, free ones as large as they can be behind.
   */
  private Chunk split(Chunk chunk, Chunk.Size size) {
    chunk.node.remove(chunk);
    Chunk target = part(chunk, chunk.from, size);
    long at = target.end();
    while (at < chunk.end()) {
      Chunk.Size largest = largestAt(at, chunk.end());
      Chunk rest = part(chunk, at, largest);
      free.add(rest);
      at = rest.end();
    }
    return target;
  }

  private Chunk part(Chunk of, long from, Chunk.Size size) {
    return put(new Chunk(of.node, from, sizes.words(size), size, false));
  }

  /** The largest fixed size that is aligned there and does not reach beyond {@code end}. */
  private Chunk.Size largestAt(long address, long end) {
    Chunk.Size largest = Chunk.Size.SPECIALIZED;
    for (Chunk.Size size : new Chunk.Size[] {Chunk.Size.SMALL, Chunk.Size.MEDIUM}) {
      long words = sizes.words(size);
      largest = Words.isAligned(address, words) && address + words <= end ? size : largest;
    }
    return largest;
  }

  @Override
  @Nullable Chunk place(Node node, Chunk.Size size, long words) {
    long start = Words.alignUp(node.top, alignment(size));
    if (start + words > node.words) {
      return null;
    }
    align(node, start);
    return node.cut(words, size, false);
  }

  private long alignment(Chunk.Size size) {
    return size == Chunk.Size.HUMONGOUS ? humongousUnit() : sizes.words(size);
  }

  /** Cuts alignment chunks until the top of the node is there. */
  private void align(Node node, long start) {
    while (node.top < start) {
      Chunk.Size size = largestAt(node.top, start);
      addFree(node.cut(sizes.words(size), size, true));
    }
  }

  // ---- Returning

  @Override
  void giveBack(Chunk chunk) {
    super.giveBack(chunk);
    coalesce(chunk);
  }

  @Override
  void addFree(Chunk chunk) {
    super.addFree(chunk);
    coalesce(chunk);
  }

  private void coalesce(Chunk chunk) {
    if (chunk.size.compareTo(Chunk.Size.MEDIUM) < 0
        && !coalesceInto(Chunk.Size.MEDIUM, chunk)
        && chunk.size == Chunk.Size.SPECIALIZED) {
      coalesceInto(Chunk.Size.SMALL, chunk);
    }
  }

  /** Makes one chunk of all in the region of that size around a free one, if that can be. */
  private boolean coalesceInto(Chunk.Size size, Chunk around) {
    Node node = around.node;
    long words = sizes.words(size);
    long from = Words.alignDown(around.from, words);
    if (!canCoalesce(node, from, words)) {
      return false;
    }
    long at = from;
    while (at < from + words) {
      Chunk chunk = Objects.requireNonNull(node.startingAt(at));
      free.remove(chunk);
      node.remove(chunk);
      at = chunk.end();
    }
    free.add(put(new Chunk(node, from, words, size, false)));
    return true;
  }

  /** Whether the region is inside the node, chunks begin at both its ends, and all are free. */
  private boolean canCoalesce(Node node, long from, long words) {
    long end = from + words;
    Chunk chunk = end <= node.top ? node.startingAt(from) : null;
    while (chunk != null && chunk.end() < end && !chunk.inUse) {
      chunk = node.startingAt(chunk.end());
    }
    return chunk != null && chunk.end() == end && !chunk.inUse;
  }

  private static Chunk put(Chunk chunk) {
    chunk.node.put(chunk);
    return chunk;
  }
}
