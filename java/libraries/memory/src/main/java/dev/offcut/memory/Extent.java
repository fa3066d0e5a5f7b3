package dev.offcut.memory;

import java.util.Arrays;
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
  /** Its arena is open, or was forgotten. */
  static final byte OPEN = 0;

  /** Its arena was closed. */
  static final byte CLOSED = 1;

  /** Its arena was closed and had no other: the next one may have it. */
  static final byte REUSABLE = 2;

  final ExtentCache cache;
  final Region region;
  final long from;
  long end;

  /** From here on there are zeros, as far as the region knows; its arena may know of less. */
  long dirtyTo;

  /**
   * A bit for each {@link Settings#BLOCK_BYTES}: a block begins here, in use or freed. As long as
   * the last block needs, and one word at least.
   */
  long[] starts;

  /** The blocks among them that were freed; made when one is, and as long. */
  long @Nullable [] freed;

  /** Up to here there are blocks: where its arena has come, when it looks for free ones. */
  long filledTo;

  /** The number by which the net knows it; 0 for the second and later extents of an arena. */
  int number;

  /** How many extents its arena had before. */
  int index;

  /** A later extent of the same arena. */
  @Nullable Extent next;

  /** Of the first extent of an arena: OPEN, CLOSED or REUSABLE. */
  byte state;

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
    long marked = Math.min(end - from, Settings.FIRST_MARKED_BYTES);
    starts = new long[wordOf(marked - 1) + 1];
  }

  boolean contains(long address) {
    return address >= from && address < end;
  }

  long bytes() {
    return end - from;
  }

  /** The word of the bit of an offset. */
  private static int wordOf(long offset) {
    return (int) (offset / Settings.BLOCK_BYTES / Long.SIZE);
  }

  /** Makes room for the bit of an offset, if there is none. */
  void reach(long offset) {
    int word = wordOf(offset);
    if (word >= starts.length) {
      int length = Math.max(word + 1, 2 * starts.length);
      long[] moreFreed = freed == null ? null : Arrays.copyOf(freed, length);
      starts = Arrays.copyOf(starts, length);
      freed = moreFreed;
    }
  }

  /** Notes where a block begins. If it throws, nothing has changed. */
  void addStart(long at) {
    int bit = (int) ((at - from) / Settings.BLOCK_BYTES);
    if (bit / Long.SIZE >= starts.length) {
      reach(at - from);
    }
    starts[bit / Long.SIZE] |= 1L << bit;
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

  /** Leaves it as the next arena finds it, when it is the only one of its arena. */
  void makeReusable(long pos, long dirtyTo) {
    this.dirtyTo = dirtyTo;
    clearStarts(pos);
    if (freed != null) {
      freed = null; // a look costs less than the collector's barrier
    }
    state = REUSABLE;
  }

  private void clearStarts(long pos) {
    int words = wordOf(pos - from) + 1;
    if (words == 1) {
      starts[0] = 0;
    } else {
      Arrays.fill(starts, 0, Math.min(words, starts.length), 0);
    }
  }

  /** Tells the region how much of it is used. The caller has the region's lock. */
  void countUsed(Holding holding, long usedBytes) {
    holding.usedBytes += usedBytes - countedBytes;
    countedBytes = usedBytes;
  }
}
