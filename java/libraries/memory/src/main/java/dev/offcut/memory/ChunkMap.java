package dev.offcut.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the chunks of a pool lie: as a picture, for people and for recordings, and as a list of
 * free chunks. Each region is looked at by itself.
 *
 * <pre>
 *   #  handed out        :  free, in pieces smaller than a cell
 *   +  partly            .  free, with pages        _  reserved, without
 * </pre>
 *
 * A cell is a granule, or in a recording of a large pool as many as keep the picture small enough
 * for an event.
 */
final class ChunkMap {
  /** Of 64 KiB each, 2 GiB. Twice as much has cells of 128 KiB, and so on. */
  static final int MOST = 32 << 10;

  private static final int ROW = 64;

  final long cellBytes;

  /** Lines; of the same length but for those at the end of a region. */
  final String rows;

  private ChunkMap(long cellBytes, String rows) {
    this.cellBytes = cellBytes;
    this.rows = rows;
  }

  /** The picture for a recording. */
  static ChunkMap of(ChunkAllocator allocator) {
    int granuleBytes = allocator.geometry.granuleBytes();
    Region[] regions = allocator.regions.all();
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
      made = append(rows, cellsOf(region), together, made);
    }
    return new ChunkMap((long) granuleBytes * together, rows.toString());
  }

  /** The picture for people: a heading for each region, and a character for each granule. */
  static String textOf(ChunkAllocator allocator) {
    StringBuilder text = new StringBuilder();
    for (Region region : allocator.regions.all()) {
      text.append("0x").append(Long.toHexString(region.base)).append(", ");
      text.append(region.bytes >> 20).append(" MiB\n");
      CharSequence cells = cellsOf(region);
      for (int from = 0; from < cells.length(); from += ROW) {
        text.append(cells, from, Math.min(from + ROW, cells.length())).append('\n');
      }
    }
    return text.toString();
  }

  static PoolLayout layoutOf(ChunkAllocator allocator) {
    List<PoolLayout.RegionLayout> all = new ArrayList<>();
    for (Region region : allocator.regions.all()) {
      List<PoolLayout.FreeChunk> free = new ArrayList<>();
      region.locked(
          () ->
              region.maps.visitFreeChunks(
                  region.tree,
                  (offset, bytes) -> free.add(new PoolLayout.FreeChunk(offset, bytes))));
      all.add(new PoolLayout.RegionLayout(region.base, region.bytes, free));
    }
    return new PoolLayout(all);
  }

  private static CharSequence cellsOf(Region region) {
    StringBuilder cells = new StringBuilder();
    region.locked(() -> region.maps.appendCells(cells));
    return cells;
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
