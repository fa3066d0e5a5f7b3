package dev.offcut.memory;

/**
 * A pool's picture as recordings have it: a character for each cell, by address.
 *
 * <pre>
 *   #  handed out        :  free, in pieces smaller than a cell
 *   +  partly            .  free, with pages        _  reserved, without
 * </pre>
 *
 * A cell is a granule, or in large pools as many as keep the picture small enough for an event.
 */
final class PoolCells {
  /** Of 64 KiB each, 2 GiB. Twice as much has cells of 128 KiB, and so on. */
  static final int MOST = 32 << 10;

  private static final int ROW = 64;

  /** Bytes of a cell. */
  final long cellBytes;

  /** Lines; of the same length but for those at the end of a region. */
  final String rows;

  private PoolCells(long cellBytes, String rows) {
    this.cellBytes = cellBytes;
    this.rows = rows;
  }

  static PoolCells of(MemoryPool pool) {
    int granuleBytes = pool.geometry().granuleBytes();
    Region[] regions = pool.regions().all();
    long bytes = 0;
    for (Region region : regions) {
      bytes += region.bytes;
    }
    int together = 1;
    while (bytes / granuleBytes / together > MOST) {
      together *= 2;
    }
    StringBuilder rows = new StringBuilder();
    int made = 0;
    for (Region region : regions) {
      StringBuilder cells = new StringBuilder();
      region.lock.lock();
      try {
        region.cells(cells);
      } finally {
        region.lock.unlock();
      }
      made = append(rows, cells, together, made);
    }
    return new PoolCells((long) granuleBytes * together, rows.toString());
  }

  /** Adds cells of so many granules each; returns how many there are, at most {@link #MOST}. */
  static int append(StringBuilder rows, CharSequence granules, int together, int made) {
    int count = made;
    int column = 0;
    for (int at = 0; at < granules.length() && count < MOST; at += together, count++, column++) {
      if (column == ROW || (column == 0 && !rows.isEmpty())) {
        rows.append('\n');
        column = 0;
      }
      rows.append(joined(granules, at, Math.min(at + together, granules.length())));
    }
    return count;
  }

  /** What several granules are together. */
  private static char joined(CharSequence granules, int from, int to) {
    char all = granules.charAt(from);
    for (int at = from + 1; at < to; at++) {
      char one = granules.charAt(at);
      if (one != all) {
        all = isHandedOut(one) || isHandedOut(all) ? '+' : '.';
      }
    }
    return all;
  }

  private static boolean isHandedOut(char cell) {
    return cell == '#' || cell == '+';
  }
}
