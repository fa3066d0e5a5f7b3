package dev.offcut.replay.space;

import org.jspecify.annotations.Nullable;

/**
 * A piece of a node that one arena has, or that is free. Its first words are its header; what is
 * behind them is for blocks.
 *
 * <pre>
 *   from                 from + top                    from + words
 *   | header | blocks …  | room                        |
 * </pre>
 *
 * While it is in use it belongs to an arena; while it is free, to a free list. A chunk that was
 * split or merged is dead: nothing refers to it.
 */
final class Chunk {
  final Node node;
  final long from;
  final long words;
  final ChunkSize size;
  final Origin origin;

  boolean inUse;

  /** How often it was handed out. */
  int uses;

  /** Words of header and blocks. */
  private long top;

  /** Neighbours in the free list. */
  @Nullable Chunk previous;

  @Nullable Chunk next;

  Chunk(Node node, long from, long words, ChunkSize size, Origin origin) {
    this.node = node;
    this.from = from;
    this.words = words;
    this.size = size;
    this.origin = origin;
  }

  long end() {
    return from + words;
  }

  /** Free, and never used for anything but to align another. */
  boolean isUnusedAlignment() {
    return origin == Origin.ALIGNMENT && uses == 0 && !inUse;
  }

  /** Begins a use: what was in it is gone. */
  void handOut(int headerWords) {
    inUse = true;
    uses++;
    top = headerWords;
  }

  long room() {
    return words - top;
  }

  boolean allocate(long blockWords) {
    if (blockWords > room()) {
      return false;
    }
    top += blockWords;
    return true;
  }

  @Override
  public String toString() {
    return size + " chunk [" + from + ", " + end() + ") " + (inUse ? "in use" : "free");
  }
}
