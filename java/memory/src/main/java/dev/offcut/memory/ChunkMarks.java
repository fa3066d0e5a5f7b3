package dev.offcut.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What is known without a lock of the chunks of a region that may be kept: a byte for each four
 * leaves, where one may begin.
 *
 * <pre>
 *   0 ──taken, by its region's lock──▶ level + 1 ──compare-and-set──▶ the same, negative: kept
 *   ◀──────────── put, by the lock ─────────────┘ ◀──by who took it out of its slot──┘
 * </pre>
 *
 * The byte of a chunk that is out changes only when its holder gives it back, so that one reads
 * what was written before it got the chunk. The compare-and-set tells which of two gave it back.
 */
final class ChunkMarks {
  /** Smaller chunks have no mark, and are not kept. */
  static final int UNIT_LEAVES = 4;

  private static final VarHandle MARK = MethodHandles.arrayElementVarHandle(byte[].class);

  private final byte[] marks;
  private final long base;
  private final int unitShift;

  ChunkMarks(Geometry geometry, long base, long bytes) {
    this.base = base;
    unitShift = Integer.numberOfTrailingZeros(geometry.leafBytes() * UNIT_LEAVES);
    marks = new byte[Math.toIntExact(bytes >> unitShift)];
  }

  private int unit(long address) {
    return (int) ((address - base) >> unitShift);
  }

  /** 1 and the level of the chunk that begins at an address, negative if it is kept, or 0. */
  int get(long address) {
    if ((address & ((1L << unitShift) - 1)) != 0) {
      return 0;
    }
    return (byte) MARK.getOpaque(marks, unit(address)); // opaque: see above
  }

  /** A chunk is handed out by its region. */
  void handOut(long address, int level) {
    if ((address & ((1L << unitShift) - 1)) == 0) {
      MARK.setOpaque(marks, unit(address), (byte) (level + 1));
    }
  }

  /** From out to kept; false if another thread was first. */
  boolean keep(long address, int level) {
    return MARK.compareAndSet(marks, unit(address), (byte) (level + 1), (byte) -(level + 1));
  }

  /** From kept to out. Release: who gives it back twice meanwhile may see the one or the other. */
  void takeOut(long address, int level) {
    MARK.setRelease(marks, unit(address), (byte) (level + 1));
  }

  /** A chunk is given back to its region. */
  void clear(long address) {
    if ((address & ((1L << unitShift) - 1)) == 0) {
      MARK.setOpaque(marks, unit(address), (byte) 0);
    }
  }

  long metadataBytes() {
    return marks.length;
  }

  /** Where a chunk is marked. */
  interface Visitor {
    void at(long address, int level, boolean kept);
  }

  /** Plain reads: of a pool at rest. */
  void visit(Visitor visitor) {
    for (int i = 0; i < marks.length; i++) {
      if (marks[i] != 0) {
        visitor.at(base + ((long) i << unitShift), Math.abs(marks[i]) - 1, marks[i] < 0);
      }
    }
  }
}
