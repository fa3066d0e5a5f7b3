package dev.offcut.fleet;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one source says of its process: the rows of all tables. {@code spec/fleet.md} has the
 * meaning of each column. The components of the records are columns, with capitals in place of
 * underscores; {@link FleetTable} has their order.
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
      case PROCESSES -> flat(table, Process.class, List.of(process));
      case WINDOWS -> flat(table, Window.class, windows);
      case SITES -> flat(table, Site.class, sites);
      case STACKS -> flat(table, Stack.class, stacks);
      case FINDINGS -> flat(table, Finding.class, findings);
    };
  }

  /** A column's value is the row's own, or else what all rows of the source share. */
  private <R extends Record> Stream<Flat> flat(FleetTable table, Class<R> type, List<R> rows) {
    Map<String, @Nullable Object> shared = new HashMap<>();
    accessors(Process.class).forEach((field, of) -> shared.put(field, value(of, process)));
    shared.put("lengthMs", process.untilMs - process.startMs);
    shared.put("windows", (long) windows.size());
    shared.put("schema", SCHEMA);
    Map<String, Method> own = accessors(type);
    List<String> fields = table.columns().stream().map(FleetTable.Column::field).toList();
    return rows.stream()
        .map(
            row -> {
              @Nullable Object[] values = new @Nullable Object[fields.size()];
              for (int i = 0; i < values.length; i++) {
                Method of = own.get(fields.get(i));
                values[i] = of == null ? shared.get(fields.get(i)) : value(of, row);
              }
              return new Flat(
                  row instanceof Window window ? window.startMs : process.startMs, values);
            });
  }

  private static Map<String, Method> accessors(Class<? extends Record> type) {
    return Stream.of(type.getRecordComponents())
        .collect(Collectors.toMap(RecordComponent::getName, RecordComponent::getAccessor));
  }

  private static @Nullable Object value(Method of, Record row) {
    try {
      return of.invoke(row);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e); // the records are public and have no code of their own
    }
  }
}
