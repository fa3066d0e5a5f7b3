package dev.offcut.replay.space;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One reservation of address space. Chunks are cut at {@code top}, up to which they tile it; memory
 * is committed a little ahead.
 *
 * <pre>
 *   0                      top            committed            words
 *   | chunk | chunk | …    | committed    | reserved only      |
 * </pre>
 */
final class Node {
  final long words;
  private final long commitStep;

  /** By address: stands for the headers in memory, by which chunks are found. */
  private final TreeMap<Long, Chunk> starts = new TreeMap<>();

  long top;
  long committed;

  /** Chunks of it that arenas have. */
  int inUse;

  /**
   * @param words a multiple of the smallest chunk
   * @param commitStep how much is committed at once, at least
   */
  Node(long words, long commitStep) {
    this.words = words;
    this.commitStep = commitStep;
  }

  long room() {
    return words - top;
  }

  /** Cuts a chunk at the top, where there is room for it. */
  Chunk cut(long chunkWords, Chunk.Size size, boolean aligns) {
    if (chunkWords > room()) {
      throw new IllegalArgumentException(chunkWords + " words where " + room() + " are left");
    }
    Chunk chunk = new Chunk(this, top, chunkWords, size, aligns);
    top += chunkWords;
    committed = Math.max(committed, Math.min(words, Words.alignUp(top, commitStep)));
    put(chunk);
    return chunk;
  }

  void put(Chunk chunk) {
    starts.put(chunk.from, chunk);
  }

  void remove(Chunk chunk) {
    starts.remove(chunk.from);
  }

  /** The chunk that begins there; null if none does. */
  @Nullable Chunk startingAt(long address) {
    return starts.get(address);
  }

  /** In address order. */
  List<Chunk> chunks() {
    return List.copyOf(starts.values());
  }

  Space.NodeMap map() {
    List<Space.Piece> pieces = new ArrayList<>();
    for (Chunk chunk : chunks()) {
      Space.State state = chunk.inUse ? Space.State.IN_USE : Space.State.FREE;
      pieces.add(new Space.Piece(chunk.from, chunk.words, state));
    }
    if (room() > 0) {
      pieces.add(new Space.Piece(top, room(), Space.State.UNTOUCHED));
    }
    return new Space.NodeMap(words, pieces);
  }
}
