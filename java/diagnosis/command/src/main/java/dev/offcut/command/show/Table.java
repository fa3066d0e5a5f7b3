package dev.offcut.command.show;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns: the first to the left, the others to the right unless told. */
public final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();
  private final int firstWords;
  private final boolean firstLeft;

  /** One of a name, and figures behind it. */
  public Table() {
    this(true, Integer.MAX_VALUE);
  }

  private Table(boolean firstLeft, int firstWords) {
    this.firstLeft = firstLeft;
    this.firstWords = firstWords;
  }

  /** One of a name, and figures; from a column on there are words. */
  public static Table withWordsFrom(int column) {
    return new Table(true, column);
  }

  /** One of figures alone; from a column on there are words. */
  public static Table ofFigures(int column) {
    return new Table(false, column);
  }

  public Table add(String... row) {
    return add(List.of(row));
  }

  public Table add(List<String> row) {
    rows.add(List.copyOf(row));
    return this;
  }

  public String text() {
    StringBuilder text = new StringBuilder();
    lines().forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  public List<String> lines() {
    int[] widths = new int[rows.stream().mapToInt(List::size).max().orElse(0)];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String blank = " ".repeat(widths[i] - row.get(i).length());
        boolean left = i >= firstWords || (i == 0 && firstLeft);
        line.append(i == 0 ? "" : GAP).append(left ? row.get(i) + blank : blank + row.get(i));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
