package dev.offcut.bench.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Blocks that are segments. */
abstract class SegmentTable extends Table {
  private final MemorySegment[] segments;

  SegmentTable(int slots) {
    segments = new MemorySegment[slots];
  }

  abstract MemorySegment allocate(int slot, int bytes);

  abstract void free(int slot, MemorySegment segment);

  @Override
  final void take(int slot, int bytes) {
    MemorySegment segment = allocate(slot, bytes);
    segment.set(JAVA_LONG_UNALIGNED, 0, stamp(slot));
    segments[slot] = segment;
  }

  @Override
  final void give(int slot) {
    MemorySegment segment = segments[slot];
    check(slot, segment.get(JAVA_LONG_UNALIGNED, 0));
    free(slot, segment);
  }

  @Override
  final long address(int slot) {
    return segments[slot].address();
  }
}
