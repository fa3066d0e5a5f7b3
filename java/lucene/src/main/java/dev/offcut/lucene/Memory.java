package dev.offcut.lucene;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory by address: where segments are made, and where files are written. */
@SuppressWarnings("restricted") // all of it is within blocks and mappings of this package
final class Memory {
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private Memory() {}

  static MemorySegment segment(long address, long bytes, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
  }

  /** A segment that keeps an object reachable. */
  static MemorySegment segment(long address, long bytes, Arena arena, Object kept) {
    Keeper keeper = new Keeper(kept);
    return MemorySegment.ofAddress(address)
        .reinterpret(bytes, arena, segment -> keeper.isStillThere());
  }

  private record Keeper(Object kept) {
    void isStillThere() {}
  }

  static void write(byte[] from, int at, long to, int bytes) {
    MemorySegment.copy(from, at, ALL, JAVA_BYTE, to, bytes);
  }
}
