package dev.offcut.replay.space;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The chunks of one class loader in one space. Blocks are cut from the current chunk; when it is
 * full, its tail goes to the arena's list of blocks and another chunk is asked for. A humongous
 * chunk holds the one block it was made for and does not become the current one, but for the boot
 * loader's first.
 */
final class ChunkArena implements SpaceArena {
  private final ChunkSpace space;
  private final ArenaKind kind;
  private final List<Chunk> chunks = new ArrayList<>();
  private final Map<ChunkSize, Integer> countBySize = new EnumMap<>(ChunkSize.class);
  private final BlockList blocks = new BlockList();
  private Chunk current;
  private long used;

  ChunkArena(ChunkSpace space, ArenaKind kind, Chunk first) {
    this.space = space;
    this.kind = kind;
    this.current = first;
    add(first);
  }

  @Override
  public boolean allocate(long words) {
    if (words < 1) {
      throw new IllegalArgumentException("a block of " + words + " words");
    }
    boolean fitted = blocks.take(words) || current.allocate(words) || allocateInNext(words);
    used += fitted ? words : 0;
    return fitted;
  }

  @Override
  public void close() {
    chunks.forEach(space.chunks::giveBack);
    space.closed(this);
    chunks.clear();
  }

  long used() {
    return used;
  }

  List<Chunk> chunks() {
    return chunks;
  }

  private boolean allocateInNext(long words) {
    long least = words + space.chunks.headerWords();
    Chunk next = space.chunks.take(space.handOut.next(kind, countBySize, least));
    if (next == null) {
      return allocateInLastResort(words, least);
    }
    add(next);
    if (next.size != ChunkSize.HUMONGOUS) {
      blocks.add(current.room());
      current = next;
    }
    return next.allocate(words);
  }

  private boolean allocateInLastResort(long words, long least) {
    Chunk chunk = space.chunks.takeLastResort(least);
    if (chunk == null) {
      return false;
    }
    add(chunk);
    return chunk.allocate(words);
  }

  private void add(Chunk chunk) {
    chunks.add(chunk);
    countBySize.merge(chunk.size, 1, Integer::sum);
  }
}
