package dev.offcut.memory;

import java.util.Arrays;
import java.util.Objects;

/**
 * The blocks of an arena that were freed before its close: joined with their free neighbours, and
 * found by size.
 *
 * <p>A line has a bit where a block begins and one where it is free, so a block ends where the next
 * begins, the last of a full line at the line's end. Free blocks stand in bins, by size, as line
 * and place; one that was joined or used meanwhile still stands there and is passed over, since its
 * bits or its size say so. Used by one thread at a time.
 */
final class FreeBlocks {
  /** Bins of one size each, 1 to 32 units. Above, four for each doubling. */
  private static final int EXACT = 32;

  private static final int BINS = Long.SIZE;
  private static final int FIRST_SIZE = 8;

  /** So many entries, and eight for each block, before those that are passed over are swept out. */
  private static final int STALE = 64;

  /** An entry is a line's index above so many bits, and a unit in them. */
  private static final int UNIT_BITS = 40;

  private final long[][] bins = new long[BINS][];
  private final int[] sizes = new int[BINS];
  private long filled;
  private int entries;
  private int blocks;
  private Line[] lines = new Line[0];

  FreeBlocks() {}

  static ForeignFreeException foreign(long address) {
    return new ForeignFreeException(
        hex(address) + " begins no block of this arena: give the segment that was allocated");
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }

  /**
   * Frees a block of a line that is filled up to an address. If it is the last one before that, and
   * the line is not full, this forgets it and answers where it began: the arena fills on from
   * there; else 0.
   */
  long put(Line line, long address, long filledTo) {
    int unit = check(line, address, filledTo);
    long[] freed = Objects.requireNonNull(line.freed);
    set(freed, unit);
    blocks++;
    int end = next(line, unit + 1);
    if (end < units(line) && has(freed, end)) {
      forget(line, end);
      end = next(line, end + 1);
    }
    int before = previous(line, unit);
    if (before >= 0 && has(freed, before)) {
      forget(line, unit);
      unit = before;
    }
    if (end == units(line) && filledTo < line.end) {
      forget(line, unit);
      return line.from + (long) unit * Settings.BLOCK_BYTES;
    }
    push(line, unit, end - unit);
    return 0;
  }

  /** The unit where a block begins that is in use. */
  private static int check(Line line, long address, long filledTo) {
    long offset = address - line.from;
    int unit = (int) (offset / Settings.BLOCK_BYTES);
    if (line.freed == null) {
      line.freed = new long[line.starts.length];
    }
    int begin = has(line.starts, unit) ? unit : previous(line, unit);
    if (begin < 0 || has(line.freed, begin) || address >= filledTo) {
      throw new DoubleFreeException(hex(address) + " is in no block that is in use: freed before?");
    }
    if (begin != unit || offset % Settings.BLOCK_BYTES != 0) {
      throw foreign(address);
    }
    return unit;
  }

  private void forget(Line line, int unit) {
    clear(line.starts, unit);
    clear(Objects.requireNonNull(line.freed), unit);
    blocks--;
  }

  /** The address of a block that was free, for so many bytes, a multiple of a unit; 0 if none. */
  long take(long bytes, long alignment) {
    long units = bytes / Settings.BLOCK_BYTES;
    if (units > Integer.MAX_VALUE) {
      return 0;
    }
    for (long fit = filled & (-1L << bin((int) units)); fit != 0; fit &= fit - 1) {
      long address = take(Long.numberOfTrailingZeros(fit), (int) units, alignment);
      if (address != 0) {
        return address;
      }
    }
    return 0;
  }

  private long take(int bin, int units, long alignment) {
    while (sizes[bin] > 0) {
      long entry = bins[bin][sizes[bin] - 1];
      Line line = lines[(int) (entry >>> UNIT_BITS)];
      int unit = (int) entry;
      boolean free = has(Objects.requireNonNull(line.freed), unit) && has(line.starts, unit);
      int length = free ? next(line, unit + 1) - unit : 0;
      if (!free || bin(length) != bin) {
        pop(bin);
        continue;
      }
      long address = line.from + (long) unit * Settings.BLOCK_BYTES;
      if (length < units || (address & (alignment - 1)) != 0) {
        return 0;
      }
      pop(bin);
      use(line, unit, length, units);
      return address;
    }
    return 0;
  }

  private void use(Line line, int unit, int length, int units) {
    long[] freed = Objects.requireNonNull(line.freed);
    clear(freed, unit);
    if (length == units) {
      blocks--;
      return;
    }
    set(line.starts, unit + units);
    set(freed, unit + units);
    push(line, unit + units, length - units);
  }

  private void pop(int bin) {
    entries--;
    if (--sizes[bin] == 0) {
      filled &= ~(1L << bin);
    }
  }

  private void push(Line line, int unit, int length) {
    if (line.index >= lines.length) {
      lines = Arrays.copyOf(lines, line.index + 1);
    }
    lines[line.index] = line;
    add(bin(length), (long) line.index << UNIT_BITS | unit);
    if (entries > STALE + 8 * blocks) {
      sweep();
    }
  }

  private void add(int bin, long entry) {
    long[] stack = bins[bin];
    if (stack == null) {
      stack = new long[FIRST_SIZE];
    } else if (sizes[bin] == stack.length) {
      stack = Arrays.copyOf(stack, 2 * stack.length);
    }
    bins[bin] = stack;
    stack[sizes[bin]++] = entry;
    filled |= 1L << bin;
    entries++;
  }

  /** Fills the bins anew, from the bits. */
  private void sweep() {
    Arrays.fill(sizes, 0);
    filled = 0;
    entries = 0;
    for (Line line : lines) {
      if (line == null || line.freed == null) {
        continue;
      }
      for (int unit = nextSet(line.freed, 0); unit >= 0; unit = nextSet(line.freed, unit + 1)) {
        add(bin(next(line, unit + 1) - unit), (long) line.index << UNIT_BITS | unit);
      }
    }
  }

  private static int bin(int units) {
    if (units <= EXACT) {
      return units - 1;
    }
    int log = 31 - Integer.numberOfLeadingZeros(units);
    return Math.min(BINS - 1, EXACT + (log - 5) * 4 + ((units >> (log - 2)) & 3));
  }

  private static int units(Line line) {
    return (int) (line.bytes() / Settings.BLOCK_BYTES);
  }

  /** Where the next block begins, or the line's end. */
  private static int next(Line line, int from) {
    int found = nextSet(line.starts, from);
    return found < 0 ? units(line) : found;
  }

  private static int nextSet(long[] bits, int from) {
    for (int word = from / Long.SIZE; word < bits.length; word++) {
      long rest = word == from / Long.SIZE ? bits[word] & (-1L << from) : bits[word];
      if (rest != 0) {
        return word * Long.SIZE + Long.numberOfTrailingZeros(rest);
      }
    }
    return -1;
  }

  /** Where the block before begins, or -1. */
  private static int previous(Line line, int unit) {
    for (int word = unit / Long.SIZE; word >= 0; word--) {
      long rest = line.starts[word];
      if (word == unit / Long.SIZE) {
        rest &= (1L << unit) - 1;
      }
      if (rest != 0) {
        return word * Long.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(rest);
      }
    }
    return -1;
  }

  private static boolean has(long[] bits, int at) {
    return (bits[at / Long.SIZE] & 1L << at) != 0;
  }

  private static void set(long[] bits, int at) {
    bits[at / Long.SIZE] |= 1L << at;
  }

  private static void clear(long[] bits, int at) {
    bits[at / Long.SIZE] &= ~(1L << at);
  }
}
