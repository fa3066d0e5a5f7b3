package dev.offcut.memory;

import org.jspecify.annotations.Nullable;

/**
 * Chunks one after the other that an arena cuts blocks from: it grows at its end as long as the
 * memory behind it is free, so a block may lie across the seam of two chunks.
 *
 * <pre>
 *   from              pos              ready           dirtyTo            end
 *    │ blocks          │ zeroed ahead    │ anything      │ zeros           │
 * </pre>
 *
 * The first extent of an arena has a number, under which the net finds it if the arena is
 * forgotten. An open extent belongs to its arena, a kept one to whoever takes it out of its slot.
 */
final class Extent {
  final ExtentCache cache;
  final Region region;
  final long from;
  long end;

  /** From here on there are zeros, as far as the region knows; its arena may know of less. */
  long dirtyTo;

  /** The number by which the net knows it; 0 for the second and later extents of an arena. */
  int number;

  /** A later extent of the same arena. */
  @Nullable Extent next;

  /** Of the first extent of an arena: whether the arena was closed, not forgotten. */
  boolean isClosed;

  /** Whether it was kept at the last turn already. */
  boolean aged;

  /** Bytes that the region counts as used. */
  long countedBytes;

  Extent(ExtentCache cache, Region region, long from, long end, boolean zero) {
    this.cache = cache;
    this.region = region;
    this.from = from;
    this.end = end;
    dirtyTo = zero ? from : end;
  }

  long bytes() {
    return end - from;
  }

  /** Adds bytes at its end. The caller has the region's lock. */
  void extend(long more, boolean isZero) {
    end += more;
    if (!isZero) {
      dirtyTo = end;
    }
  }

  /** Adds a later extent of the same arena. */
  void addLater(Extent extent) {
    extent.next = next;
    next = extent;
  }

  /** Tells the region how much of it is used. The caller has the region's lock. */
  void countUsed(Holding holding, long usedBytes) {
    holding.usedBytes += usedBytes - countedBytes;
    countedBytes = usedBytes;
  }
}
