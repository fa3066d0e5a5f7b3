package dev.offcut.retrofit.stream;

import java.util.ArrayList;
import java.util.List;

/**
 * A table for people: rows of equally many cells. All columns end alike, the last begins alike. The
 * command's tables begin with the name; {@link Figures} says why it has a class of its own.
 */
final class Columns {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** An empty one. */
  Columns() {}

  /** Adds a row. */
  void add(List<String> row) {
    rows.add(List.copyOf(row));
  }

  /** The rows as lines, each column as wide as its widest cell. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      int last = row.size() - 1;
      for (int column = 0; column < last; column++) {
        String cell = row.get(column);
        line.append(" ".repeat(width(column) - cell.length())).append(cell).append(GAP);
      }
      lines.add(line.append(row.get(last)).toString());
    }
    return lines;
  }

  private int width(int column) {
    int width = 0;
    for (List<String> row : rows) {
      width = Math.max(width, row.get(column).length());
    }
    return width;
  }
}
