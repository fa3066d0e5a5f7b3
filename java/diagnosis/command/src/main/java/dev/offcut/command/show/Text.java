package dev.offcut.command.show;

import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Figures;
import dev.offcut.command.read.KnownLibraries;
import java.util.List;

/** Text as it grows: lines, wrapped sentences, tables, and colours where they may be. */
final class Text {
  private static final int MOST_FRAMES = 8;

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

  /**
   * Frames, one a line: first the program's own, which a person would mend, then what it called of
   * a library, if that is known, then its callers.
   */
  Text stack(CallSite at) {
    List<String> frames = at.frames();
    if (frames.isEmpty()) {
      return this;
    }
    int own = at.ownAt();
    line("    at " + frames.get(own));
    if (own > 0) {
      line("         calls " + frames.get(own - 1) + within(at));
    }
    frames.stream()
        .skip(own + 1L)
        .limit(MOST_FRAMES - 1)
        .forEach(caller -> line("       " + caller));
    return this;
  }

  /** What lies further in: of which code sources, or how many frames. */
  private static String within(CallSite at) {
    if (!at.through().isEmpty()) {
      return ", through " + Figures.joined(at.through());
    }
    List<String> frames = at.frames();
    int own = at.ownAt();
    String library = KnownLibraries.of(frames.get(own - 1));
    return own == 1
        ? ""
        : ", and "
            + Figures.count(own - 1L, "deeper frame")
            + (library == null ? "" : " of " + library);
  }

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
