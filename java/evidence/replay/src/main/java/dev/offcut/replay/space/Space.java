package dev.offcut.replay.space;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One of the two spaces of class metadata, run by a policy. For one thread. */
public interface Space extends AutoCloseable {
  /**
   * A new arena with its first chunk; null if there is none to be had, which leaves the space as it
   * was.
   */
  @Nullable Arena open(ArenaKind kind);

  /** Gives back what memory the policy gives back after classes were unloaded. */
  void purge();

  /** How the space is used now. */
  Usage usage();

  /** What lies where now: its nodes, each tiled by pieces in address order. */
  List<NodeMap> map();

  /** Gives back what it has of the system; its arenas are closed. */
  @Override
  void close();

  /** Which of the two spaces a JVM keeps class metadata in. */
  enum Kind {
    /** What compressed class pointers point to: one reservation of a fixed size. */
    CLASS,
    /** Methods, constant pools and the rest: nodes that are added and given back. */
    NON_CLASS
  }

  /** Whose metadata an arena holds, which decides what chunks it is handed. */
  enum ArenaKind {
    /** The boot loader: many classes, there until the end. */
    BOOT,
    /** A class loader of the program. */
    STANDARD
  }

  /** What one class loader has of a {@link Space}: chunks, and blocks in them. For one thread. */
  interface Arena {
    /** Whether there was room for a block of so many words, at least one. */
    boolean allocate(long words);

    /** Returns all chunks to the space. The arena is of no use afterwards. */
    void close();
  }

  /**
   * How a space is used, in words: {@code used ≤ handedOut ≤ committed ≤ capacity}.
   *
   * @param capacity reserved: the size of class space, the sum of the nodes elsewhere
   * @param committed reserved and backed by memory
   * @param handedOut in chunks that arenas have
   * @param used in blocks inside those chunks, without headers and tails
   * @param largestFree the largest free chunk, or run that no chunk was cut from yet
   * @param alignmentMax the most that was in free chunks which were cut for alignment only and not
   *     used since
   */
  record Usage(
      long capacity,
      long committed,
      long handedOut,
      long used,
      long largestFree,
      long alignmentMax) {
    /** What no arena has. */
    public long free() {
      return capacity - handedOut;
    }

    /** Of the capacity, in percent. */
    public double percent(long words) {
      return capacity == 0 ? 0 : 100.0 * words / capacity;
    }
  }

  /** One reservation. */
  record NodeMap(long words, List<Piece> pieces) {}

  /** A chunk, or the run at the end of a node from which none was cut yet. */
  record Piece(long from, long words, State state) {}

  /** What a piece is. */
  enum State {
    /** An arena has it. */
    IN_USE,
    /** In a free list. */
    FREE,
    /** No chunk yet. */
    UNTOUCHED
  }
}
