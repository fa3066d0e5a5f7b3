package dev.offcut.replay.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of text in columns: the first to the left, the others to the right.
 *
 * <p>The command's reports have a table like it. The simulator does not use it: it would need the
 * command's whole module, with its page and its server, for these lines.
 */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  void add(List<String> row) {
    rows.add(row);
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String blank = " ".repeat(width(column) - row.get(column).length());
        line.append(column == 0 ? row.get(0) + blank : "  " + blank + row.get(column));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
