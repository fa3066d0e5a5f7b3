package dev.offcut.replay.report;

import dev.offcut.replay.space.SpaceMap;
import dev.offcut.replay.space.SpaceMap.NodeMap;
import dev.offcut.replay.space.SpaceMap.Piece;
import dev.offcut.replay.space.SpaceMap.State;

/**
 * A space as text, a character for each cell of equal size. What matters is said of each: whether
 * it is handed out, and whether what is free is one piece.
 */
final class TextMap {
  static final String LEGEND =
      "# handed out   + partly   : free, in pieces smaller than a cell   . free   _ not cut yet";

  private static final int COLUMNS = 64;

  /** A space is drawn in at most so many rows; the cell grows until it is. */
  private static final int MAX_ROWS = 10;

  private final long cell;
  private final StringBuilder text = new StringBuilder();
  private int column;

  private TextMap(long cell) {
    this.cell = cell;
  }

  /** The least cell, a power of two from 32 KiB on, with which the map fits. */
  static long cellWords(SpaceMap map) {
    long words = map.nodes().stream().mapToLong(NodeMap::words).sum();
    long cell = 4 << 10;
    while (words > cell * COLUMNS * MAX_ROWS) {
      cell *= 2;
    }
    return cell;
  }

  static String of(SpaceMap map, String indent) {
    TextMap drawn = new TextMap(cellWords(map));
    map.nodes().forEach(node -> drawn.draw(node, indent));
    return drawn.text.append('\n').toString();
  }

  private void draw(NodeMap node, String indent) {
    int next = 0;
    for (long from = 0; from < node.words(); from += cell) {
      long end = Math.min(node.words(), from + cell);
      while (end(node.pieces().get(next)) <= from) {
        next++;
      }
      put(symbol(node, next, from, end), indent);
    }
  }

  private void put(char symbol, String indent) {
    if (column == COLUMNS) {
      text.append('\n');
      column = 0;
    }
    text.append(column == 0 ? indent : "").append(symbol);
    column++;
  }

  /** {@code first}: the first piece that reaches into the cell. */
  private static char symbol(NodeMap node, int first, long from, long end) {
    long handedOut = 0;
    boolean pieces = false;
    boolean untouched = true;
    for (int i = first; i < node.pieces().size() && node.pieces().get(i).from() < end; i++) {
      Piece piece = node.pieces().get(i);
      long inside = Math.min(end, end(piece)) - Math.max(from, piece.from());
      handedOut += piece.state() == State.IN_USE ? inside : 0;
      pieces |= inside < end - from;
      untouched &= piece.state() == State.UNTOUCHED;
    }
    if (handedOut > 0) {
      return handedOut == end - from ? '#' : '+';
    }
    return untouched ? '_' : pieces ? ':' : '.';
  }

  private static long end(Piece piece) {
    return piece.from() + piece.words();
  }
}
