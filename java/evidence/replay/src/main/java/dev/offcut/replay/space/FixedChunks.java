package dev.offcut.replay.space;

import org.jspecify.annotations.Nullable;

/**
 * Chunks up to JDK 10: a chunk has its size for ever. Free ones are used again for the same size
 * only; what arenas of one kind leave is of no use to those of another.
 */
final class FixedChunks extends Chunks {
  /** The words of a chunk's header: 48 bytes. */
  private static final int HEADER_WORDS = 6;

  FixedChunks(Space.Kind kind, long limit) {
    super(kind, Chunk.Sizes.of(kind), HEADER_WORDS, limit);
    begin();
  }

  @Override
  long humongousUnit() {
    return sizes.specialized();
  }

  @Override
  @Nullable Chunk takeFree(Chunk.Size size, long words) {
    return size == Chunk.Size.HUMONGOUS ? free.takeAtLeast(words) : free.take(words);
  }

  @Override
  @Nullable Chunk place(Node node, Chunk.Size size, long words) {
    return words <= node.room() ? node.cut(words, size, false) : null;
  }

  /** Before memory is out of, a small block may still have one of the many free small chunks. */
  @Override
  @Nullable Chunk takeLastResort(long words) {
    Chunk chunk = words <= sizes.small() ? free.take(sizes.small()) : null;
    if (chunk != null) {
      handOut(chunk);
    }
    return chunk;
  }
}
