package dev.offcut.fleet.duckdb;

import dev.offcut.command.read.Failure;
import dev.offcut.fleet.Fleet;
import dev.offcut.fleet.FleetTable;
import dev.offcut.fleet.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** Writes the rows of a source into a fleet. One thread. */
public final class DuckDbWriter implements AutoCloseable {
  /**
   * Rows of one name stand together, in the order of time: so they take a third of the space, and a
   * query about some names skips the others.
   */
  static final String SORTED = "what, name, process, start_ms";

  static final String FORMAT =
      "(FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION V2, ROW_GROUP_SIZE 122880)";

  private final Connection database;

  private DuckDbWriter(Connection database) {
    this.database = database;
  }

  public static DuckDbWriter open() throws Failure {
    try {
      Connection database = DuckDbEngine.connect();
      try (Statement statement = database.createStatement()) {
        statement.execute("SET threads = 1");
        statement.execute("SET memory_limit = '512MiB'");
        for (FleetTable table : FleetTable.values()) {
          statement.execute(
              "CREATE TABLE "
                  + table.title()
                  + " (day VARCHAR, "
                  + table.columns().stream()
                      .map(column -> DuckDbEngine.name(column) + " " + DuckDbEngine.type(column))
                      .collect(Collectors.joining(", "))
                  + ")");
        }
      }
      return new DuckDbWriter(database);
    } catch (SQLException e) {
      throw DuckDbEngine.failed(e);
    }
  }

  /** Writes all files of a source; that of {@code processes} last, which makes the others count. */
  public void write(Rows rows, Fleet fleet) throws Failure {
    String service = rows.process().service();
    String hash = rows.process().source();
    List<String> written = new ArrayList<>();
    for (FleetTable table : FleetTable.PROCESSES_LAST) {
      written.addAll(write(rows, table, fleet, service, hash, written.size()));
    }
    boolean allThere = true;
    for (String name : written) {
      allThere = allThere && fleet.store().isThere(name);
    }
    if (!allThere) {
      // Somebody else had added the same, and compacted or dropped it meanwhile: it is as they left
      // it.
      fleet.store().delete(written.getLast());
    }
  }

  /** {@code others}: how many files of other tables there are, for that of {@code processes}. */
  private List<String> write(
      Rows rows, FleetTable table, Fleet fleet, String service, String hash, int others)
      throws Failure {
    List<String> written = new ArrayList<>();
    TreeSet<LocalDate> days = new TreeSet<>();
    try (Statement statement = database.createStatement()) {
      statement.execute("TRUNCATE " + table.title());
      try (DuckDBAppender appender =
          database.unwrap(DuckDBConnection.class).createAppender(table.title())) {
        for (Iterator<Rows.Flat> all = rows.of(table).iterator(); all.hasNext(); ) {
          Rows.Flat row = all.next();
          LocalDate day = Fleet.date(row.startMs());
          days.add(day);
          append(appender, day, row.values());
        }
      }
      for (LocalDate day : days) {
        String place = Fleet.file(table, day, service, hash);
        written.add(place);
        copy(
            fleet,
            statement,
            "SELECT * EXCLUDE (day)%s FROM %s WHERE day = '%s'%s"
                .formatted(counted(table, others), table.title(), day, order(table)),
            place);
      }
      statement.execute("TRUNCATE " + table.title());
      return written;
    } catch (SQLException e) {
      throw cannotWrite(fleet, e);
    }
  }

  /** Ends a list of columns: how many files of other tables are in the set. */
  static String counted(FleetTable table, int others) {
    return table == FleetTable.PROCESSES ? " REPLACE (" + others + "::BIGINT AS files)" : "";
  }

  static String order(FleetTable table) {
    return table == FleetTable.WINDOWS ? " ORDER BY " + SORTED : "";
  }

  /** Writes what a query says to a file, and gives it its name. */
  static void copy(Fleet fleet, Statement statement, String select, String name)
      throws SQLException, Failure {
    Path file = fleet.store().unfinished();
    try {
      statement.execute(
          "COPY (" + select + ") TO " + DuckDbEngine.quoted(file.toString()) + " " + FORMAT);
      fleet.store().put(file, name);
    } finally {
      delete(file);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // No engine reads it, and compaction deletes it.
    }
  }

  static Failure cannotWrite(Fleet fleet, SQLException e) {
    return Fleet.cannot("write", fleet.place(), new IOException(DuckDbEngine.message(e)));
  }

  private static void append(DuckDBAppender appender, LocalDate day, @Nullable Object... values)
      throws SQLException {
    appender.beginRow();
    appender.append(day.toString());
    for (Object value : values) {
      switch (value) {
        case null -> appender.appendNull();
        case Long number -> appender.append(number.longValue());
        case Boolean truth -> appender.append(truth.booleanValue());
        default -> appender.append(String.valueOf(value));
      }
    }
    appender.endRow();
  }

  @Override
  public void close() {
    try {
      database.close();
    } catch (SQLException e) {
      // Nothing is in it that anybody needs.
    }
  }
}
