package dev.offcut.replay.trace;

import dev.offcut.replay.space.Space.ArenaKind;

/** One line of a trace behind its header. What names a range is done for each arena in turn. */
public sealed interface Op {
  /** Its line in the trace, from 1. */
  int line();

  /** Arenas come to be. */
  record Open(int line, Range arenas, ArenaKind kind) implements Op {}

  /**
   * Arenas are given the memory of a class, several times.
   *
   * @param group what the class is counted as; empty if it is not
   * @param times how often; {@link #UNTIL_FULL}: until a space is full
   */
  record Allocate(int line, Range arenas, String group, ClassMemory memory, long times)
      implements Op {
    public static final long UNTIL_FULL = -1;

    public boolean isUntilFull() {
      return times == UNTIL_FULL;
    }
  }

  /** Arenas are closed: their loaders were unloaded. */
  record Close(int line, Range arenas) implements Op {}

  /** Unloading is over: the spaces give back what they give back. */
  record Purge(int line) implements Op {}

  /** The spaces are to be looked at here. */
  record Mark(int line, String name) implements Op {}

  /** Arenas by their numbers, both ends included. */
  record Range(int first, int last) {
    /** One arena. */
    public static Range of(int arena) {
      return new Range(arena, arena);
    }

    public int count() {
      return last - first + 1;
    }
  }

  /**
   * The memory that classes take.
   *
   * @param classWords one block in class space; 0 for none
   * @param nonClassWords elsewhere, all blocks together
   * @param nonClassBlocks how many blocks of about one size that is; 0 if there is none
   */
  record ClassMemory(long classWords, long nonClassWords, int nonClassBlocks) {
    /** Block {@code index}, from 0, of those outside class space. */
    public long nonClassBlock(int index) {
      long larger = nonClassWords % nonClassBlocks;
      return nonClassWords / nonClassBlocks + (index < larger ? 1 : 0);
    }

    public long words() {
      return classWords + nonClassWords;
    }
  }
}
