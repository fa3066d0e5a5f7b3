package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.ClosedHandleException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening, preparing, and what SQLite says when it cannot. */
final class DatabaseTest {
  @Test
  void open_newFile_isThereAgainLater(@TempDir Path directory) {
    Path file = directory.resolve("größe 東京.db");
    try (Database database = Database.open(file)) {
      database.execute("CREATE TABLE t AS SELECT 42 AS answer");
    }
    assertThat(file).isRegularFile();
    try (Database database = Database.open(file);
        Statement statement = database.prepare("SELECT answer FROM t");
        Rows rows = statement.query()) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getLong(0)).isEqualTo(42);
    }
  }

  @Test
  void open_noSuchDirectory_hasTheMessage(@TempDir Path directory) {
    assertThatThrownBy(() -> Database.open(directory.resolve("no/file.db")))
        .isInstanceOfSatisfying(
            SqliteException.class, e -> assertThat(e.code() & 0xff).isEqualTo(14))
        .hasMessageContaining("unable to open database file");
  }

  @Test
  void use_ofAFileThatIsNoDatabase_hasTheMessage(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("text"), "not a database, but longer than it");
    try (Database database = Database.open(file)) {
      assertThatThrownBy(() -> database.execute("CREATE TABLE t (a)"))
          .isInstanceOfSatisfying(SqliteException.class, e -> assertThat(e.code()).isEqualTo(26))
          .hasMessageContaining("file is not a database");
    }
  }

  @Test
  void prepare_unknownTable_hasMessageCodeAndSql() {
    try (Database database = Database.inMemory()) {
      assertThatThrownBy(() -> database.prepare("SELECT * FROM nowhere"))
          .isInstanceOfSatisfying(SqliteException.class, e -> assertThat(e.code()).isEqualTo(1))
          .hasMessage("no such table: nowhere (code 1) in: SELECT * FROM nowhere");
      assertThat(OpenStatements.of(database)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  \n", "-- a comment", "/* another */", ";"})
  void prepare_noStatement_saysSo(String sql) {
    try (Database database = Database.inMemory()) {
      assertThatThrownBy(() -> database.prepare(sql))
          .isInstanceOf(SqliteException.class)
          .hasMessageContaining("no statement");
    }
  }

  @Test
  void prepare_twoStatements_saysSo() {
    try (Database database = Database.inMemory()) {
      assertThatThrownBy(() -> database.prepare("SELECT 1; SELECT 2"))
          .isInstanceOf(SqliteException.class)
          .hasMessageContaining("more than one statement");
      assertThat(OpenStatements.of(database)).isZero();
      database.prepare("SELECT 1; \n").close();
    }
  }

  @Test
  void prepare_theCharacterZero_endsTheStatement() {
    try (Database database = Database.inMemory()) {
      assertThatThrownBy(() -> database.prepare("SELECT 1 \0 FROM nowhere"))
          .isInstanceOf(SqliteException.class)
          .hasMessageContaining("more than one statement");
    }
  }

  @Test
  void prepare_longSql_isWhole() {
    try (Database database = Database.inMemory();
        Statement statement = database.prepare("SELECT '" + "ü".repeat(20_000) + "'");
        Rows rows = statement.query()) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.text(0)).isEqualTo("ü".repeat(20_000));
    }
  }

  @Test
  void prepare_aTextAgain_compilesThatText() {
    String refused = "SELECT 3 \0";
    String longer = "SELECT '" + "x".repeat(9_000) + "'";
    try (Database database = Database.inMemory()) {
      for (int i = 0; i < 2; i++) {
        assertThat(answer(database, "SELECT 1")).isEqualTo("1");
        assertThat(answer(database, "SELECT 1")).isEqualTo("1");
        assertThat(answer(database, "SELECT 22")).isEqualTo("22");
        assertThatThrownBy(() -> database.prepare(refused)).isInstanceOf(SqliteException.class);
        assertThat(answer(database, "SELECT 22")).isEqualTo("22");
        assertThat(answer(database, longer)).hasSize(9_000);
      }
    }
  }

  private static @Nullable String answer(Database database, String sql) {
    try (Statement statement = database.prepare(sql);
        Rows rows = statement.query()) {
      assertThat(rows.next()).isTrue();
      return rows.text(0);
    }
  }

  @Test
  void use_afterClose_throws() {
    Database database = Database.inMemory();
    database.close();
    database.close();
    assertThatThrownBy(() -> database.prepare("SELECT 1"))
        .isInstanceOf(ClosedHandleException.class)
        .hasMessageContaining("sqlite3");
  }

  @Test
  void version_ofTheLibrary_isANumber() {
    assertThat(Database.version()).matches("3\\.\\d+\\.\\d+");
  }

  @Test
  void oneDatabase_inSeveralThreads_answersEach() throws Exception {
    int each = 2_000;
    List<Future<Long>> sums = new ArrayList<>();
    try (Database database = Database.inMemory();
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        sums.add(threads.submit(() -> sum(database, each)));
      }
      for (Future<Long> sum : sums) {
        assertThat(sum.get()).isEqualTo((long) each * (each - 1) / 2);
      }
      assertThat(OpenStatements.of(database)).isZero();
    }
  }

  private static long sum(Database database, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      try (Statement statement = database.prepare("SELECT ?1");
          Rows rows = statement.bind(1, i).query()) {
        sum += rows.next() ? rows.getLong(0) : 0;
      }
      assertThatThrownBy(() -> database.prepare("SELECT nothing"))
          .hasMessageContaining("(code 1) in: SELECT nothing");
    }
    return sum;
  }
}
