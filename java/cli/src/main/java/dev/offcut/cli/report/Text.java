package dev.offcut.cli.report;

import java.util.List;

/** Text as it grows: lines, wrapped sentences, and colours where they may be. */
final class Text {
  /** Columns. Tables may be wider. */
  private static final int WIDTH = 100;

  /** Colours of a terminal's own palette, so that they can be read on any ground. */
  enum Colour {
    RED("31"),
    YELLOW("33"),
    CYAN("36"),
    BOLD("1");

    private final String code;

    Colour(String code) {
      this.code = code;
    }
  }

  private final StringBuilder text = new StringBuilder();
  private final boolean coloured;

  Text(boolean coloured) {
    this.coloured = coloured;
  }

  Text line(String line) {
    text.append(line).append('\n');
    return this;
  }

  Text line() {
    return line("");
  }

  /** What is lines already. */
  Text append(String lines) {
    text.append(lines);
    return this;
  }

  Text title(String title) {
    return line(paint(Colour.BOLD, title));
  }

  Text table(Table table) {
    table.text().lines().forEach(line -> line("  " + line));
    return this;
  }

  /** Frames, one a line, the first behind a label. */
  Text stack(String label, List<String> frames, String behindFirst) {
    String indent = " ".repeat(label.length());
    for (int i = 0; i < frames.size(); i++) {
      line(i == 0 ? label + frames.getFirst() + behindFirst : indent + frames.get(i));
    }
    return this;
  }

  /** Words in as many lines as they need. */
  Text wrapped(String indent, String sentences) {
    StringBuilder line = new StringBuilder(indent);
    for (String word : sentences.split(" ", -1)) {
      boolean first = line.length() == indent.length();
      if (!first && line.length() + 1 + word.length() > WIDTH) {
        line(line.toString());
        line = new StringBuilder(indent);
        first = true;
      }
      line.append(first ? "" : " ").append(word);
    }
    return line(line.toString());
  }

  String paint(Colour colour, String word) {
    return coloured ? "\u001b[" + colour.code + "m" + word + "\u001b[0m" : word;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
