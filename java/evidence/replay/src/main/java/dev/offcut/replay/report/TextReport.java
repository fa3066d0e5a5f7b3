package dev.offcut.replay.report;

import dev.offcut.replay.Result;
import dev.offcut.replay.Result.Snapshot;
import dev.offcut.replay.space.Space.NodeMap;
import dev.offcut.replay.space.Space.Piece;
import dev.offcut.replay.space.Space.State;
import dev.offcut.replay.space.Space.Usage;
import dev.offcut.replay.space.Words;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The program under several policies, as aligned tables, with maps of class space below. */
public final class TextReport {
  private final List<Result> results;
  private final StringBuilder text = new StringBuilder();

  private TextReport(List<Result> results) {
    this.results = results;
  }

  /**
   * The whole report.
   *
   * @param classSpaceBytes the size that the program ran with
   * @param survivors one in this many small loaders stayed open; 0: none
   * @param results one a policy
   * @param allMaps also those before and after unloading, and of the other space
   */
  public static String of(
      long classSpaceBytes, int survivors, List<Result> results, boolean allMaps) {
    TextReport text = new TextReport(results);
    text.head(classSpaceBytes, survivors);
    text.classSpace();
    text.nonClass();
    text.failures();
    text.maps(allMaps);
    return text.text.toString();
  }

  private void head(long classSpaceBytes, int survivors) {
    line(
        "Example2 of JDK-8198423, class space %s%s",
        Sizes.ofBytes(classSpaceBytes),
        survivors == 0 ? "" : ", one closed arena in " + survivors + " stays");
    line("");
  }

  private void classSpace() {
    Table table = new Table();
    table.add(
        List.of(
            "class space",
            "small classes",
            "large classes",
            "handed out",
            "used",
            "alignment at most",
            "free at failure",
            "largest free"));
    for (Result result : results) {
      Usage usage = result.last().classSpace().usage();
      table.add(
          List.of(
              result.policy(),
              format("%,d", result.small()),
              format("%,d", result.large()),
              format("%.1f %%", usage.percent(usage.handedOut())),
              format("%.1f %%", usage.percent(usage.used())),
              Sizes.ofWords(usage.alignmentMax()),
              Sizes.ofWords(usage.free()),
              Sizes.ofWords(usage.largestFree())));
    }
    text.append(table.text()).append('\n');
  }

  /** Memory that was out too early. */
  private void failures() {
    for (Result result : results) {
      if (result.isEarly()) {
        line("%s: class space was full before the large classes", result.policy());
      }
    }
  }

  private void nonClass() {
    Table table = new Table();
    table.add(
        List.of(
            "outside class space",
            "reserved",
            "committed",
            "handed out",
            "used",
            "alignment at most",
            "free"));
    for (Result result : results) {
      Usage usage = result.last().nonClass().usage();
      table.add(
          List.of(
              result.policy(),
              Sizes.ofWords(usage.capacity()),
              Sizes.ofWords(usage.committed()),
              Sizes.ofWords(usage.handedOut()),
              Sizes.ofWords(usage.used()),
              Sizes.ofWords(usage.alignmentMax()),
              Sizes.ofWords(usage.free())));
    }
    text.append(table.text());
  }

  private void maps(boolean all) {
    for (Result result : results) {
      line("");
      for (Snapshot snapshot : all ? result.snapshots() : List.of(result.last())) {
        map(result.policy() + ", " + snapshot.name(), snapshot.classSpace().map());
        if (all) {
          map(result.policy() + ", outside, " + snapshot.name(), snapshot.nonClass().map());
        }
      }
    }
    line("  %s", TextMap.LEGEND);
  }

  private void map(String title, List<NodeMap> map) {
    line("%s; a cell is %s", title, Sizes.ofWords(TextMap.cellWords(map)));
    text.append(TextMap.of(map, "  "));
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more dependency
  private void line(String format, Object... arguments) {
    text.append(format(format, arguments)).append('\n');
  }

  @SuppressWarnings("AnnotateFormatMethod") // as above
  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  /**
   * A space as text, a character for each cell of equal size. What matters is said of each: whether
   * it is handed out, and whether what is free is one piece.
   */
  static final class TextMap {
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
    static long cellWords(List<NodeMap> map) {
      long words = map.stream().mapToLong(NodeMap::words).sum();
      long cell = 4 << 10;
      while (words > cell * COLUMNS * MAX_ROWS) {
        cell *= 2;
      }
      return cell;
    }

    static String of(List<NodeMap> map, String indent) {
      TextMap drawn = new TextMap(cellWords(map));
      map.forEach(node -> drawn.draw(node, indent));
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

  /** Sizes for people: in KiB below ten MiB, else in MiB. */
  static final class Sizes {
    private static final Pattern IDLE_DIGITS = Pattern.compile("\\.00$|(?<=\\.[1-9])0$");
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    private Sizes() {}

    static String ofWords(long words) {
      return ofBytes(Words.toBytes(words));
    }

    static String ofBytes(long bytes) {
      if (bytes >= 10 * MIB) {
        String mib = String.format(Locale.ROOT, "%,.2f", (double) bytes / MIB);
        return IDLE_DIGITS.matcher(mib).replaceFirst("") + " MiB";
      }
      return String.format(Locale.ROOT, "%,d KiB", bytes / KIB);
    }
  }
}
