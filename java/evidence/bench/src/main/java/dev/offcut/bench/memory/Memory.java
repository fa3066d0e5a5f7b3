package dev.offcut.bench.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Native memory by its address. */
final class Memory {
  /** Everything there is; an address is an offset in it. */
  @SuppressWarnings("restricted") // only what an allocator handed out is accessed
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private Memory() {}

  static void write(long address, long value) {
    ALL.set(JAVA_LONG_UNALIGNED, address, value);
  }

  static long read(long address) {
    return ALL.get(JAVA_LONG_UNALIGNED, address);
  }

  /** Makes all pages of a block count. */
  static void fill(long address, long bytes) {
    ALL.asSlice(address, bytes).fill((byte) 0x5a);
  }
}
