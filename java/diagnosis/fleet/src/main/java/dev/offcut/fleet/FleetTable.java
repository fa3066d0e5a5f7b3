package dev.offcut.fleet;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The tables of a fleet, and their columns. {@link Rows} has the values. Columns are added, never
 * changed: a file that lacks one has no value in it. The columns {@code date} and {@code service}
 * are in the names of the folders alone.
 */
public enum FleetTable {
  /** One row for each source. */
  PROCESSES(
      "source text, process text, host text, pid long, start_ms long, until_ms long, version text, main text,"
          + " command text, jdk text, level text, sample_every long, complete boolean, ending text, origin text,"
          + " name text, windows long, added_ms long, schema long,"
          + " files long"),
  /** Figures over time. */
  WINDOWS(
      "source text, process text, host text, version text, start_ms long, length_ms long, what text, name text,"
          + " opened long, closed long, collected long, lost long, forgotten long, opened_bytes long,"
          + " lost_bytes long, open long, bytes long, peak long"),
  /** What the places in the program opened that left stacks. */
  SITES(
      "source text, process text, host text, version text, start_ms long, length_ms long, what text, name text,"
          + " stack text, line text, opened long, closed long, collected long, lost long, forgotten long,"
          + " open long, bytes long, lost_bytes long, samples long, exact boolean, open_margin long,"
          + " bytes_margin long, lost_margin long, lost_bytes_margin long"),
  /** The frames of stacks. */
  STACKS("source text, stack text, line text, frames text"),
  /** What the report of a process says. */
  FINDINGS(
      "source text, process text, host text, version text, start_ms long, position long, severity text, name text,"
          + " line text, stack text, title text, text text, bytes long, confidence text");

  /** In the order in which they are written: that of processes makes the others count. */
  public static final List<FleetTable> PROCESSES_LAST =
      List.of(WINDOWS, SITES, STACKS, FINDINGS, PROCESSES);

  /**
   * A column.
   *
   * @param type {@code text}, {@code long} or {@code boolean}
   */
  public record Column(String name, String type) {
    /** Its name in JSON and in Java, with capitals in place of underscores. */
    String field() {
      return camel(name);
    }
  }

  @SuppressWarnings("ImmutableEnumChecker") // nobody can change it
  private final List<Column> columns;

  FleetTable(String columns) {
    this.columns =
        Stream.of(columns.split(", ", -1))
            .map(column -> column.split(" ", -1))
            .map(words -> new Column(words[0], words[1]))
            .toList();
  }

  /** In the order of a row's values. */
  public List<Column> columns() {
    return columns;
  }

  /** What queries call it, and what its folder is called. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A name with capitals in place of underscores. */
  static String camel(String name) {
    return Pattern.compile("_(.)")
        .matcher(name)
        .replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT));
  }
}
