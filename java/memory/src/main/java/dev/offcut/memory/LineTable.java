package dev.offcut.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines that arenas may forget, by number: a handle keeps a number and nothing that it would
 * keep reachable. Number 0 is none.
 *
 * <p>Any thread may use it. Changed under the class's monitor; read without it by the one who has
 * the number, whose entry was written before the number was handed on.
 */
final class LineTable {
  private static final int FIRST_SIZE = 64;

  private static volatile @Nullable Line[] lines = new Line[FIRST_SIZE];
  private static int[] freeNumbers = new int[FIRST_SIZE];
  private static int freeCount;
  private static int next = 1;

  private LineTable() {}

  /** Gives a line a number. */
  static synchronized void add(Line line) {
    if (freeCount == 0 && next == lines.length) {
      int[] moreNumbers = Arrays.copyOf(freeNumbers, 2 * next);
      lines = Arrays.copyOf(lines, 2 * next);
      freeNumbers = moreNumbers;
    }
    line.number = freeCount > 0 ? freeNumbers[--freeCount] : next++;
    lines[line.number] = line;
  }

  /** Takes its number away. */
  static synchronized void remove(Line line) {
    lines[line.number] = null;
    freeNumbers[freeCount++] = line.number;
    line.number = 0;
  }

  /** The releaser of forgotten and of closed arenas. */
  static void release(long number) {
    Line line = lines[(int) number];
    if (line == null) {
      throw new IllegalStateException("line " + number + " of an arena was given back before");
    }
    line.owner.lines().release(line);
  }

  /** Says which lines arenas hold, and which are kept for the next ones. */
  static synchronized void claim(Claims claims) {
    for (Line first : lines) {
      for (Line line = first; line != null; line = line.next) {
        claims.addLine(line);
      }
    }
  }
}
