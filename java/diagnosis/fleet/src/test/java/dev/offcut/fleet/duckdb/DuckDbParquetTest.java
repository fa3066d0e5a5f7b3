package dev.offcut.fleet.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.show.ParquetWriter;
import dev.offcut.command.show.Row;
import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuckDbParquetTest {
  private static final Row SITE =
      new Row(
          "site",
          "arena.confined",
          300L,
          100L,
          0L,
          150L,
          null,
          50L,
          5000L,
          15_000L,
          false,
          List.of("com.acme.Store.load(Store.java:88)", "com.acme.Main.main(Main.java)"));

  private static final Row LEAK =
      new Row("leak", "=it's", null, null, null, null, 7L, null, null, null, true, List.of());

  /** A folder whose name a statement has to quote. */
  @TempDir private Path folder = Path.of("");

  private static ParquetWriter writer() {
    return ServiceLoader.load(ParquetWriter.class).findFirst().orElseThrow();
  }

  private List<List<String>> read(byte[] parquet, String columns) throws IOException, SQLException {
    Path file = folder.resolve("x.parquet");
    Files.write(file, parquet);
    List<List<String>> lines = new ArrayList<>();
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement();
        ResultSet result = statement.executeQuery("SELECT " + columns + " FROM '" + file + "'")) {
      while (result.next()) {
        List<String> cells = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          cells.add(String.valueOf(result.getObject(i)));
        }
        lines.add(cells);
      }
    }
    return lines;
  }

  @Test
  void bytes_rows_areReadBackWithTheirValues() throws Exception {
    byte[] parquet = writer().bytes(List.of(SITE, LEAK));
    String columns =
        "\"row\", name, opened, closed, collected, lost, forgotten, \"open\", bytes, lost_bytes,"
            + " exact, len(stack), stack[1]";
    assertThat(read(parquet, columns))
        .containsExactly(
            List.of(
                "site",
                "arena.confined",
                "300",
                "100",
                "0",
                "150",
                "null",
                "50",
                "5000",
                "15000",
                "false",
                "2",
                "com.acme.Store.load(Store.java:88)"),
            List.of(
                "leak", "=it's", "null", "null", "null", "null", "7", "null", "null", "null",
                "true", "null", "null"));
  }

  @Test
  void bytes_columns_haveTypes() throws Exception {
    byte[] parquet = writer().bytes(List.of(SITE));
    assertThat(read(parquet, "typeof(opened), typeof(exact), typeof(stack)"))
        .containsExactly(List.of("BIGINT", "BOOLEAN", "VARCHAR[]"));
  }

  @Test
  void bytes_noRows_isATableWithoutRows() throws Exception {
    assertThat(read(writer().bytes(List.of()), "count(*), sum(bytes)"))
        .containsExactly(List.of("0", "null"));
  }

  /** In a JVM whose temporary folder no other process uses. */
  @Test
  void bytes_leavesNoFile() throws Exception {
    ChildJvm.with("-Djava.io.tmpdir=" + folder, "--enable-native-access=ALL-UNNAMED")
        .program(WritingProgram.class)
        .run();
    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files).noneMatch(file -> String.valueOf(file.getFileName()).startsWith("parquet"));
    }
  }

  /** Writes one row. */
  static final class WritingProgram {
    private WritingProgram() {}

    public static void main(String[] args) throws IOException {
      System.out.println(writer().bytes(List.of(SITE)).length);
    }
  }
}
