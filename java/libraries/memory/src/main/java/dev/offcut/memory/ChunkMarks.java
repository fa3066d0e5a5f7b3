package dev.offcut.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which chunks of a region the program holds: a byte for each four leaves. What arenas and heaps
 * hold has no mark, so the program cannot free it.
 *
 * <pre>
 *   0            the program has no chunk that begins here
 *   1 to 17      a chunk of four leaves up to a root begins here: its level + 1
 *   negative     the same chunk, which was given back and is kept for its owner
 *   64 to 79     64 + a bit for each of the four leaves where a smaller chunk begins
 *   80           a chunk larger than a root begins here
 *
 *   0 ──taken, by its region's lock──▶ level + 1 ──compare-and-set──▶ the same, negative: kept
 *   ◀──────────── put, by the lock ─────────────┘ ◀──by who took it out of its slot──┘
 * </pre>
 *
 * The byte of a chunk of four leaves or more changes only when its holder gives it back, so the
 * holder reads what was written before it got the chunk. The compare-and-set tells which of two
 * gave it back. Bytes from 64 on change under the region's lock alone.
 */
final class ChunkMarks {
  /** Smaller chunks have no mark, and are not kept. */
  static final int UNIT_LEAVES = 4;

  private static final int SMALL = 64;
  private static final int RUN = SMALL + (1 << UNIT_LEAVES);

  private static final VarHandle MARK = MethodHandles.arrayElementVarHandle(byte[].class);

  private final byte[] marks;

  private final long base;
  private final int leafShift;
  private final int unitShift;

  /** Chunks of a higher level are smaller than a unit. */
  private final int leastLevel;

  ChunkMarks(Geometry geometry, long base, long bytes) {
    this.base = base;
    leafShift = Integer.numberOfTrailingZeros(geometry.leafBytes());
    int units = Integer.numberOfTrailingZeros(UNIT_LEAVES);
    unitShift = leafShift + units;
    leastLevel = geometry.leafLevel() - units;
    marks = new byte[Math.toIntExact(bytes >> unitShift)];
  }

  /** Where the mark of an address is. */
  private int unit(long address) {
    return (int) ((address - base) >> unitShift);
  }

  /**
   * 1 and the level of the chunk of the program that begins at an address, negative if it is kept;
   * 0 if none begins there, or one that is never kept.
   */
  int get(long address) {
    if (!isUnit(address)) {
      return 0;
    }
    int mark = (byte) MARK.getOpaque(marks, unit(address)); // opaque: see above
    return mark < SMALL ? mark : 0;
  }

  private boolean isUnit(long address) {
    return (address & ((1L << unitShift) - 1)) == 0;
  }

  /** The program is given a chunk. The caller has the region's lock. */
  void handOut(long address, int level) {
    int leaf = leaf(address);
    int unit = unit(address);
    int mark = level > leastLevel ? Math.max(marks[unit], SMALL) | 1 << leaf : level + 1;
    MARK.setOpaque(marks, unit, (byte) mark);
  }

  /** The program is given a chunk that no level has. The caller has the region's lock. */
  void handOutRun(long address) {
    MARK.setOpaque(marks, unit(address), (byte) RUN);
  }

  /**
   * Whether the program holds a chunk that begins at an address and is never kept. The caller has
   * the region's lock.
   */
  boolean isUnkept(long address) {
    int mark = marks[unit(address)];
    boolean begins = (address & ((1L << leafShift) - 1)) == 0;
    return begins && (mark == RUN ? isUnit(address) : isSmall(mark) && has(mark, leaf(address)));
  }

  private static boolean isSmall(int mark) {
    return mark > SMALL && mark < RUN;
  }

  private static boolean has(int mark, int leaf) {
    return (mark & 1 << leaf) != 0;
  }

  /** Which of a unit's leaves an address is in. */
  private int leaf(long address) {
    return (int) ((address - base) >> leafShift) & (UNIT_LEAVES - 1);
  }

  /** From out to kept; false if another thread was first. */
  boolean keep(long address, int level) {
    return MARK.compareAndSet(marks, unit(address), (byte) (level + 1), (byte) -(level + 1));
  }

  /** From kept to out, by who took the chunk out of its slot. */
  void takeOut(long address, int level) {
    // Plain: who gives it back twice meanwhile may see the one or the other. ChunkCacheTest hands
    // chunks from thread to thread.
    marks[unit(address)] = (byte) (level + 1);
  }

  /** A chunk is given back to its region. The caller has the region's lock. */
  void clear(long address) {
    int unit = unit(address);
    int mark = marks[unit];
    int left = isSmall(mark) ? mark & ~(1 << leaf(address)) : 0;
    if (mark != 0) {
      MARK.setOpaque(marks, unit, (byte) (left == SMALL ? 0 : left));
    }
  }

  long metadataBytes() {
    return marks.length;
  }

  /** Is shown where chunks of the program begin. */
  interface Visitor {
    void visitMark(long address, boolean kept);
  }

  /** Plain reads: of a pool at rest. */
  void visit(Visitor visitor) {
    for (int unit = 0; unit < marks.length; unit++) {
      int mark = marks[unit];
      long address = base + ((long) unit << unitShift);
      for (int leaf = 0; isSmall(mark) && leaf < UNIT_LEAVES; leaf++) {
        if (has(mark, leaf)) {
          visitor.visitMark(address + ((long) leaf << leafShift), false);
        }
      }
      if (mark != 0 && !isSmall(mark)) {
        visitor.visitMark(address, mark < 0);
      }
    }
  }
}
