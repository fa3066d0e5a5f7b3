package dev.offcut.bench.child;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One number that a child reports, on a line of its own. */
public record Figure(String metric, double value, String unit) {
  private static final String MARK = "@figure ";

  public String line() {
    return MARK + metric + " " + String.format(Locale.ROOT, "%.6f", value) + " " + unit;
  }

  /** The figure in a line of output; null if it is another line. */
  public static @Nullable Figure parse(String line) {
    if (!line.startsWith(MARK)) {
      return null;
    }
    String[] words = line.substring(MARK.length()).split(" ", -1);
    return new Figure(words[0], Double.parseDouble(words[1]), words[2]);
  }
}
