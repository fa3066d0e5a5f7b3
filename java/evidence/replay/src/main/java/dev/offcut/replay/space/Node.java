package dev.offcut.replay.space;

import dev.offcut.replay.space.Chunk.Origin;
import java.util.ArrayList;
import java.util.List;
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
  private final int unit;
  private final long commitStep;

  /** By address in smallest chunks: stands for the headers in memory, by which chunks are found. */
  private final @Nullable Chunk[] starts;

  private long top;
  private long committed;

  /** Chunks of it that arenas have. */
  int inUse;

  /**
   * @param words a multiple of {@code unit}
   * @param unit the size of the smallest chunk
   * @param commitStep how much is committed at once, at least
   */
  Node(long words, int unit, long commitStep) {
    this.words = words;
    this.unit = unit;
    this.commitStep = commitStep;
    this.starts = new Chunk[Math.toIntExact(words / unit)];
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
    starts[index(chunk.from)] = chunk;
  }

  void remove(Chunk chunk) {
    starts[index(chunk.from)] = null;
  }

  /** The chunk that begins there; null if none does. */
  @Nullable Chunk startingAt(long address) {
    return address < top ? starts[index(address)] : null;
  }

  /** In address order. */
  List<Chunk> chunks() {
    List<Chunk> all = new ArrayList<>();
    for (Chunk chunk : starts) {
      if (chunk != null) {
        all.add(chunk);
      }
    }
    return all;
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

  /** Chunks tile what is below the top, and those in use are counted. */
  void verify() {
    long expected = 0;
    int counted = 0;
    for (Chunk chunk : chunks()) {
      Space.check(chunk.from == expected, "%s follows what ends at %d", chunk, expected);
      expected = chunk.end();
      counted += chunk.inUse ? 1 : 0;
    }
    Space.check(expected == top, "chunks end at %d, the top is %d", expected, top);
    Space.check(counted == inUse, "%d chunks are in use, %d were counted", counted, inUse);
    Space.check(top <= committed && committed <= words, "committed %d, top %d", committed, top);
  }

  private int index(long address) {
    return Math.toIntExact(address / unit);
  }
}
