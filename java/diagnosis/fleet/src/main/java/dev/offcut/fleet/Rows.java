package dev.offcut.fleet;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one source says of its process: the rows of all tables. {@code spec/fleet.md} has the
 * meaning of each column. The records have the columns' names and order, without those that all
 * rows of a source share.
 */
public record Rows(
    Process process,
    List<Window> windows,
    List<Site> sites,
    List<Stack> stacks,
    List<Finding> findings) {

  /** The version of the layout that is written, and the newest that is read. */
  public static final long SCHEMA = 1;

  /** A process, as far as the source knows it. */
  @SuppressWarnings("JavaLangClash") // what the table is called
  public record Process(
      String source,
      String process,
      String service,
      String host,
      long pid,
      long startMs,
      long untilMs,
      String version,
      String main,
      String command,
      String jdk,
      String level,
      long sampleEvery,
      boolean complete,
      String ending,
      String origin,
      String name,
      long addedMs) {}

  /**
   * A time of one name. Counters are what was counted in that time; {@code open}, {@code bytes} and
   * {@code peak} are null if they are not known.
   */
  public record Window(
      long startMs,
      long lengthMs,
      String what,
      String name,
      long opened,
      long closed,
      long collected,
      long lost,
      long forgotten,
      long openedBytes,
      long lostBytes,
      @Nullable Long open,
      @Nullable Long bytes,
      @Nullable Long peak) {}

  /** A place, over the whole time of the source. Margins are null if nothing is estimated. */
  public record Site(
      String what,
      String name,
      String stack,
      String line,
      long opened,
      long closed,
      long collected,
      long lost,
      long forgotten,
      long open,
      @Nullable Long bytes,
      @Nullable Long lostBytes,
      long samples,
      boolean exact,
      @Nullable Long openMargin,
      @Nullable Long bytesMargin,
      @Nullable Long lostMargin,
      @Nullable Long lostBytesMargin) {}

  /** The frames of a stack, innermost first, a line each. */
  public record Stack(String stack, String line, String frames) {}

  /** A finding of the process's own report. */
  public record Finding(
      long position,
      String severity,
      @Nullable String name,
      @Nullable String line,
      @Nullable String stack,
      String title,
      String text,
      long bytes,
      String confidence) {}

  /** A row for a file: the day of its partition, and the values of {@link FleetTable#columns()}. */
  @SuppressWarnings("ArrayRecordComponent") // one for each of 10⁸ rows, read once
  public record Flat(long startMs, @Nullable Object... values) {}

  /** The rows of a table, as they are written. */
  public Stream<Flat> of(FleetTable table) {
    return switch (table) {
      case PROCESSES -> Stream.of(flat());
      case WINDOWS -> windows.stream().map(this::flat);
      case SITES -> sites.stream().map(this::flat);
      case STACKS -> stacks.stream().map(this::flat);
      case FINDINGS -> findings.stream().map(this::flat);
    };
  }

  private Flat flat() {
    Process p = process;
    return new Flat(
        p.startMs,
        p.source,
        p.process,
        p.host,
        p.pid,
        p.startMs,
        p.untilMs,
        p.version,
        p.main,
        p.command,
        p.jdk,
        p.level,
        p.sampleEvery,
        p.complete,
        p.ending,
        p.origin,
        p.name,
        (long) windows.size(),
        p.addedMs,
        SCHEMA,
        null); // who writes the files knows how many
  }

  private Flat flat(Window w) {
    Process p = process;
    return new Flat(
        w.startMs,
        p.source,
        p.process,
        p.host,
        p.version,
        w.startMs,
        w.lengthMs,
        w.what,
        w.name,
        w.opened,
        w.closed,
        w.collected,
        w.lost,
        w.forgotten,
        w.openedBytes,
        w.lostBytes,
        w.open,
        w.bytes,
        w.peak);
  }

  private Flat flat(Site s) {
    Process p = process;
    return new Flat(
        p.startMs,
        p.source,
        p.process,
        p.host,
        p.version,
        p.startMs,
        p.untilMs - p.startMs,
        s.what,
        s.name,
        s.stack,
        s.line,
        s.opened,
        s.closed,
        s.collected,
        s.lost,
        s.forgotten,
        s.open,
        s.bytes,
        s.lostBytes,
        s.samples,
        s.exact,
        s.openMargin,
        s.bytesMargin,
        s.lostMargin,
        s.lostBytesMargin);
  }

  private Flat flat(Stack s) {
    return new Flat(process.startMs, process.source, s.stack, s.line, s.frames);
  }

  private Flat flat(Finding f) {
    Process p = process;
    return new Flat(
        p.startMs,
        p.source,
        p.process,
        p.host,
        p.version,
        p.startMs,
        f.position,
        f.severity,
        f.name,
        f.line,
        f.stack,
        f.title,
        f.text,
        f.bytes,
        f.confidence);
  }
}
