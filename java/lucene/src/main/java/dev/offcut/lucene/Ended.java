package dev.offcut.lucene;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Segments for inputs that are closed, or have nothing. */
final class Ended {
  /** Has room for any position, and each access fails: its scope is closed. */
  static final MemorySegment SEGMENT = ended();

  /** Has no bytes. */
  static final MemorySegment EMPTY = Memory.segment(Long.BYTES, 0, Arena.global());

  private Ended() {}

  private static MemorySegment ended() {
    try (Arena arena = Arena.ofShared()) {
      return Memory.segment(0, Long.MAX_VALUE, arena);
    }
  }
}
