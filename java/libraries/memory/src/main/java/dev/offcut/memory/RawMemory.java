package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/** Memory by address, without bounds: for blocks whose bounds are known. Any thread may use it. */
@SuppressWarnings("restricted") // addresses and sizes come from the pool
final class RawMemory {
  static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private RawMemory() {}

  static MemorySegment segment(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  static void copy(long from, long to, long bytes) {
    MemorySegment.copy(ALL, from, ALL, to, bytes);
  }

  static void fill(long address, long bytes, byte value) {
    ALL.asSlice(address, bytes).fill(value);
  }

  /** How many bytes from an address on have a value, at most {@code bytes}. */
  static long run(long address, long bytes, byte value) {
    long at = 0;
    while (at < bytes && ALL.get(JAVA_BYTE, address + at) == value) {
      at++;
    }
    return at;
  }
}
