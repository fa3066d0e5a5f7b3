package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is bound comes back, and what is wrong is told in SQLite's words. */
final class StatementTest {
  private final Database database = Database.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "Zürich, São Paulo, Αθήνα, 東京",
        "\0",
        "a\0b\0",
        "🎁 beyond the basic plane 𝄞",
        "\uFFFD \uFFFF \u0080",
        "\uFEFFmarked"
      })
  void bindText_anyCharacters_roundTrip(String text) {
    try (Statement statement = database.prepare("SELECT ?1, length(CAST(?1 AS BLOB))");
        Rows rows = statement.bind(1, text).query()) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.text(0)).isEqualTo(text);
      assertThat(rows.getLong(1)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8_191, 8_192, 300_000})
  void bindText_aroundTheKeptSize_roundTrips(int size) {
    String text = "ü".repeat(size / 2) + "x".repeat(size % 2);
    try (Statement statement = database.prepare("SELECT ?1");
        Rows rows = statement.bind(1, text).query()) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.text(0)).isEqualTo(text);
    }
  }

  @Test
  void bindLong_extremes_roundTrip() {
    for (long value : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      try (Statement statement = database.prepare("SELECT ?1");
          Rows rows = statement.bind(1, value).query()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(0)).isEqualTo(value);
        assertThat(rows.text(0)).isEqualTo(Long.toString(value));
      }
    }
  }

  @Test
  void bindDouble_extremes_roundTrip() {
    for (double value : new double[] {0, -0.1, Double.MIN_VALUE, Double.MAX_VALUE, 1e300}) {
      try (Statement statement = database.prepare("SELECT ?1 = ?2, typeof(?1)");
          Rows rows = statement.bind(1, value).bind(2, value).query()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(0)).isEqualTo(1);
        assertThat(rows.text(1)).isEqualTo("real");
      }
    }
  }

  @Test
  void bindNull_inEachWay_isNull() {
    try (Statement statement = database.prepare("SELECT ?1, ?2")) {
      statement.bind(1, null).bind(2, Double.NaN);
      try (Rows rows = statement.query()) {
        assertThat(rows.next()).isTrue();
        for (int column = 0; column < 2; column++) {
          assertThat(rows.text(column)).isNull();
          assertThat(rows.getLong(column)).isZero();
        }
      }
    }
  }

  @Test
  void bind_parameterThatIsNotThere_saysSo() {
    try (Statement statement = database.prepare("SELECT ?1")) {
      assertThatThrownBy(() -> statement.bind(2, 1))
          .isInstanceOfSatisfying(
              SqliteException.class,
              e -> {
                assertThat(e.code()).isEqualTo(25);
                assertThat(e).hasMessageContaining("column index out of range");
              });
    }
  }

  @Test
  void bind_whileRowsAreOpen_saysSo() {
    try (Statement statement = database.prepare("SELECT ?1");
        Rows rows = statement.query()) {
      assertThatThrownBy(() -> statement.bind(1, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("close them first");
      assertThat(rows.next()).isTrue();
    }
  }

  @Test
  void execute_anyTimes_keepsParameters() {
    database.execute("CREATE TABLE t (a, b)");
    try (Statement insert = database.prepare("INSERT INTO t VALUES (?, ?)")) {
      insert.bind(1, "same");
      for (int i = 0; i < 10; i++) {
        insert.bind(2, i).execute();
      }
    }
    assertThat(number("SELECT count(*) * 100 + sum(b) FROM t WHERE a = 'same'")).isEqualTo(1045);
  }

  @Test
  void execute_constraintBroken_hasTheMessageAndCanGoOn() {
    database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)");
    try (Statement insert = database.prepare("INSERT INTO t VALUES (?)")) {
      insert.bind(1, 7).execute();
      assertThatThrownBy(insert::execute)
          .isInstanceOfSatisfying(SqliteException.class, e -> assertThat(e.code()).isEqualTo(1555))
          .hasMessage("UNIQUE constraint failed: t.a (code 1555) in: INSERT INTO t VALUES (?)");
      insert.bind(1, 8).execute();
    }
    assertThat(number("SELECT count(*) FROM t")).isEqualTo(2);
  }

  @Test
  void execute_noRoomLeft_isFull() {
    database.execute("CREATE TABLE t (a)");
    database.execute("PRAGMA max_page_count = 4");
    assertThatThrownBy(() -> database.execute("INSERT INTO t VALUES (zeroblob(100000))"))
        .isInstanceOfSatisfying(
            SqliteException.class,
            e -> {
              assertThat(e.code()).isEqualTo(13);
              assertThat(e).hasMessageContaining("database or disk is full");
            });
  }

  private long number(String sql) {
    try (Statement statement = database.prepare(sql);
        Rows rows = statement.query()) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(0);
    }
  }
}
