package dev.offcut.memory;

import java.util.Arrays;
import java.util.Objects;

/**
 * The blocks of an arena that were freed before its close, found by size.
 *
 * <p>An extent has a bit where a block begins and one where it is free, so a block ends where the
 * next begins, the last of a full extent at the extent's end. Free blocks stand in bins, by size,
 * as extent and place, the last one freed on top: what is freed and allocated in turns is the same
 * block. Free neighbours are joined not at once but when nothing fits and enough was freed since
 * the last time, by a pass over the bits that fills the bins anew. Used by one thread at a time.
 */
final class FreeBlocks {
  /** Bins of one size each, 1 to 32 units. Above, four for each doubling. */
  private static final int EXACT = 32;

  private static final int BINS = Long.SIZE;
  private static final int FIRST_SIZE = 8;

  /** An entry is an extent's index above so many bits, and a unit in them. */
  private static final int UNIT_BITS = 32;

  private final long[][] bins = new long[BINS][FIRST_SIZE];
  private final int[] sizes = new int[BINS];
  private long filled;
  private Extent[] extents = new Extent[0];
  private long freedBytes;
  private long freedSinceJoin;

  /** Where the last block of an extent begins at most. */
  private final long lastUnit;

  FreeBlocks(long mostFilledBytes) {
    lastUnit = mostFilledBytes / Settings.BLOCK_BYTES;
  }

  static ForeignFreeException foreign(long address) {
    return new ForeignFreeException(
        hex(address) + " begins no block of this arena: give the segment that was allocated");
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }

  /** Frees a block. */
  void addBlock(Extent extent, long address) {
    int unit = check(extent, address);
    long length = length(extent, unit);
    push(extent, unit, length); // before the bit: without memory for it the block stays in use
    set(Objects.requireNonNull(extent.freed), unit);
    freedBytes += length * Settings.BLOCK_BYTES;
    freedSinceJoin += length * Settings.BLOCK_BYTES;
  }

  /** The unit where a block begins that is in use. */
  private int check(Extent extent, long address) {
    long offset = address - extent.from;
    long unit = offset / Settings.BLOCK_BYTES;
    if (extent.freed == null) {
      if (extent.index >= extents.length) {
        extents = Arrays.copyOf(extents, extent.index + 1);
      }
      extent.freed = new long[extent.starts.length];
      extents[extent.index] = extent;
    }
    boolean begins = has(extent.starts, unit) && address < extent.filledTo;
    if (begins && offset % Settings.BLOCK_BYTES == 0 && !has(extent.freed, unit)) {
      return (int) unit;
    }
    long begin = has(extent.starts, unit) ? unit : previous(extent, unit);
    if (begin < 0 || address >= extent.filledTo || has(extent.freed, begin)) {
      throw new DoubleFreeException(hex(address) + " is in no block that is in use: freed before?");
    }
    throw foreign(address);
  }

  /** The address of a block that was free, for so many bytes, a multiple of a unit; 0 if none. */
  long takeBlock(long bytes, long alignment) {
    if (bytes > freedBytes) {
      return 0;
    }
    long units = bytes / Settings.BLOCK_BYTES;
    for (long fit = filled & (-1L << bin(units)); fit != 0; fit &= fit - 1) {
      long address = takeBlock(Long.numberOfTrailingZeros(fit), units, alignment);
      if (address != 0) {
        return address;
      }
    }
    return 0;
  }

  private long takeBlock(int bin, long units, long alignment) {
    long entry = bins[bin][sizes[bin] - 1];
    Extent extent = extents[(int) (entry >>> UNIT_BITS)];
    int unit = (int) entry;
    long address = extent.from + (long) unit * Settings.BLOCK_BYTES;
    long length = bin < EXACT ? bin + 1 : length(extent, unit);
    if (length < units || (address & (alignment - 1)) != 0) {
      return 0;
    }
    boolean isSplit = length > units && unit + units < lastUnit;
    if (isSplit) {
      extent.reach((unit + units) * Settings.BLOCK_BYTES); // first what may fail
    }
    if (--sizes[bin] == 0) {
      filled &= ~(1L << bin);
    }
    freedBytes -= (isSplit ? units : length) * Settings.BLOCK_BYTES;
    clear(Objects.requireNonNull(extent.freed), unit);
    if (isSplit) {
      int rest = (int) (unit + units);
      set(extent.starts, rest);
      set(Objects.requireNonNull(extent.freed), rest);
      push(extent, rest, length - units);
    }
    return address;
  }

  private static long length(Extent extent, int unit) {
    return next(extent, unit + 1) - unit;
  }

  private void push(Extent extent, int unit, long length) {
    int bin = bin(length);
    long[] stack = bins[bin];
    if (sizes[bin] == stack.length) {
      stack = Arrays.copyOf(stack, 2 * stack.length);
      bins[bin] = stack;
    }
    stack[sizes[bin]++] = (long) extent.index << UNIT_BITS | unit;
    filled |= 1L << bin;
  }

  /** Whether so much was freed since the last time that joining may be worth a pass. */
  boolean isJoinDue(long bytes, long takenBytes) {
    return bytes <= freedBytes && freedSinceJoin >= takenBytes / 4;
  }

  /**
   * Joins free neighbours and fills the bins anew. What is free at the end of the extent that is
   * being filled is forgotten: the arena fills on from where that begins.
   */
  void joinBlocks(Extent filling) {
    Arrays.fill(sizes, 0);
    filled = 0;
    freedBytes = 0;
    freedSinceJoin = 0;
    for (Extent extent : extents) {
      if (extent != null) {
        joinWithin(extent);
      }
    }
    long[] freed = filling.freed;
    int last = freed == null ? -1 : previous(filling, units(filling));
    if (last >= 0 && has(Objects.requireNonNull(freed), last)) {
      clear(filling.starts, last);
      clear(Objects.requireNonNull(freed), last);
      filling.filledTo = filling.from + (long) last * Settings.BLOCK_BYTES;
    }
    for (Extent extent : extents) {
      if (extent != null) {
        pushAll(extent);
      }
    }
  }

  private static void joinWithin(Extent extent) {
    long[] freed = Objects.requireNonNull(extent.freed);
    long end = units(extent);
    for (long unit = nextSet(freed, 0, end); unit < end; unit = nextSet(freed, unit + 1, end)) {
      long after = next(extent, unit + 1);
      while (after < end && has(freed, after)) {
        clear(extent.starts, (int) after);
        clear(freed, (int) after);
        after = next(extent, after + 1);
      }
    }
  }

  private void pushAll(Extent extent) {
    long[] freed = Objects.requireNonNull(extent.freed);
    long end = units(extent);
    for (long unit = nextSet(freed, 0, end); unit < end; unit = nextSet(freed, unit + 1, end)) {
      long length = length(extent, (int) unit);
      push(extent, (int) unit, length);
      freedBytes += length * Settings.BLOCK_BYTES;
    }
  }

  private static int bin(long units) {
    if (units <= EXACT) {
      return (int) units - 1;
    }
    int log = Long.SIZE - 1 - Long.numberOfLeadingZeros(units);
    return Math.min(BINS - 1, EXACT + (log - 5) * 4 + (int) ((units >> (log - 2)) & 3));
  }

  /** Up to where there are blocks: more than there are bits, if the last block is large. */
  private static long units(Extent extent) {
    return (extent.filledTo - extent.from) / Settings.BLOCK_BYTES;
  }

  /** Where the next block begins, or where the extent is filled to. */
  private static long next(Extent extent, long from) {
    return nextSet(extent.starts, from, units(extent));
  }

  /** The next bit that is set, or the end. */
  private static long nextSet(long[] bits, long from, long end) {
    long last = Math.min(end, (long) bits.length * Long.SIZE);
    for (long at = from; at < last; at = (at | (Long.SIZE - 1)) + 1) {
      long rest = bits[(int) (at / Long.SIZE)] >>> at;
      if (rest != 0) {
        return Math.min(end, at + Long.numberOfTrailingZeros(rest));
      }
    }
    return end;
  }

  /** Where the block before begins, or -1. */
  private static int previous(Extent extent, long unit) {
    int last = (int) Math.min(unit / Long.SIZE, extent.starts.length - 1);
    for (int word = last; word >= 0; word--) {
      long rest = extent.starts[word];
      if (word == unit / Long.SIZE) {
        rest &= (1L << unit) - 1;
      }
      if (rest != 0) {
        return word * Long.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(rest);
      }
    }
    return -1;
  }

  private static boolean has(long[] bits, long at) {
    int word = (int) Math.min(at / Long.SIZE, bits.length);
    return word < bits.length && (bits[word] & 1L << at) != 0;
  }

  private static void set(long[] bits, int at) {
    bits[at / Long.SIZE] |= 1L << at;
  }

  private static void clear(long[] bits, int at) {
    bits[at / Long.SIZE] &= ~(1L << at);
  }
}
