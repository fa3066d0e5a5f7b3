package dev.offcut.replay.space;

import dev.offcut.replay.space.Chunk.Origin;
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

  private long top;
  private long committed;

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

  long top() {
    return top;
  }

  long committed() {
    return committed;
  }

  long room() {
    return words - top;
  }

  /** Cuts a chunk at the top, where there is room for it. */
  Chunk cut(long chunkWords, Chunk.Size size, Origin origin) {
    if (chunkWords > room()) {
      throw new IllegalArgumentException(chunkWords + " words where " + room() + " are left");
    }
    Chunk chunk = new Chunk(this, top, chunkWords, size, origin);
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

  Space.Layout.NodeMap map() {
    List<Space.Layout.Piece> pieces = new ArrayList<>();
    for (Chunk chunk : chunks()) {
      pieces.add(new Space.Layout.Piece(chunk.from, chunk.words, state(chunk)));
    }
    if (room() > 0) {
      pieces.add(new Space.Layout.Piece(top, room(), Space.Layout.State.UNTOUCHED));
    }
    return new Space.Layout.NodeMap(words, pieces);
  }

  private static Space.Layout.State state(Chunk chunk) {
    if (chunk.inUse) {
      return Space.Layout.State.IN_USE;
    }
    return chunk.isUnusedAlignment() ? Space.Layout.State.ALIGNMENT : Space.Layout.State.FREE;
  }
}
