package dev.offcut.cli.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns: the first to the left, the others to the right. */
final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  Table add(String... row) {
    rows.add(List.of(row));
    return this;
  }

  Table add(List<String> row) {
    rows.add(List.copyOf(row));
    return this;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String blank = " ".repeat(width(column) - row.get(column).length());
        line.append(column == 0 ? row.get(0) + blank : GAP + blank + row.get(column));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private int width(int column) {
    return rows.stream()
        .filter(row -> row.size() > column)
        .mapToInt(row -> row.get(column).length())
        .max()
        .orElse(0);
  }
}
