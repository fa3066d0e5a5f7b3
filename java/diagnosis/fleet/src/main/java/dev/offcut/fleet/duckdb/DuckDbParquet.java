package dev.offcut.fleet.duckdb;

import dev.offcut.command.read.Temporary;
import dev.offcut.command.show.ParquetWriter;
import dev.offcut.command.show.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Has DuckDB write Parquet: the rows go through a table in memory and a file of its own. */
public final class DuckDbParquet implements ParquetWriter {
  private static final String TABLE =
      """
      CREATE TABLE rows (
        "row" VARCHAR, name VARCHAR, opened BIGINT, closed BIGINT, collected BIGINT, lost BIGINT,
        forgotten BIGINT, "open" BIGINT, bytes BIGINT, lost_bytes BIGINT, exact BOOLEAN,
        stack VARCHAR[])
      """;

  /** Frames are lines of one text here: drivers differ in what they take for an array. */
  private static final String INSERT =
      "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, string_split(?, chr(10)))";

  @Override
  public byte[] bytes(List<Row> rows) throws IOException {
    Path folder = Files.createTempDirectory(Temporary.folder(), "parquet-");
    Path file = folder.resolve("rows.parquet");
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:")) {
      fill(database, rows);
      copy(database, file);
      return Files.readAllBytes(file);
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  private static void fill(Connection database, List<Row> rows) throws SQLException {
    try (Statement statement = database.createStatement()) {
      statement.execute(TABLE);
    }
    try (PreparedStatement insert = database.prepareStatement(INSERT)) {
      for (Row row : rows) {
        set(insert, row);
        insert.executeUpdate();
      }
    }
  }

  private static void set(PreparedStatement insert, Row row) throws SQLException {
    insert.setString(1, row.row());
    insert.setString(2, row.name());
    set(insert, 3, row.opened());
    set(insert, 4, row.closed());
    set(insert, 5, row.collected());
    set(insert, 6, row.lost());
    set(insert, 7, row.forgotten());
    set(insert, 8, row.open());
    set(insert, 9, row.bytes());
    set(insert, 10, row.lostBytes());
    insert.setBoolean(11, row.exact());
    if (row.frames().isEmpty()) {
      insert.setNull(12, Types.VARCHAR);
    } else {
      insert.setString(12, String.join("\n", row.frames()));
    }
  }

  private static void set(PreparedStatement insert, int index, @Nullable Long value)
      throws SQLException {
    if (value == null) {
      insert.setNull(index, Types.BIGINT);
    } else {
      insert.setLong(index, value);
    }
  }

  private static void copy(Connection database, Path file) throws SQLException {
    try (Statement statement = database.createStatement()) {
      String name = file.toString().replace("'", "''");
      statement.execute("COPY rows TO '" + name + "' (FORMAT parquet, COMPRESSION zstd)");
    }
  }
}
