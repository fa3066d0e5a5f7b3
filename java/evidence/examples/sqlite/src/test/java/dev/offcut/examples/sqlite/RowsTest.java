package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.ClosedHandleException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rows of a query: where they stand, how they end, and what they give. */
final class RowsTest {
  private static final String THREE = "VALUES (1), (2), (3)";

  private final Database database = Database.inMemory();

  @BeforeEach
  void fill() {
    database.execute("CREATE TABLE t AS " + THREE);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void next_toTheEnd_givesEachRowAndCloses() {
    try (Statement statement = database.prepare(THREE)) {
      for (int round = 0; round < 3; round++) {
        List<Long> seen = new ArrayList<>();
        Rows rows = statement.query();
        while (rows.next()) {
          seen.add(rows.getLong(0));
        }
        assertThat(seen).containsExactly(1L, 2L, 3L);
        assertThat(rows.isClosed()).isTrue();
        assertThat(rows.next()).isFalse();
        rows.close();
      }
    }
  }

  @Test
  void next_ofNoRows_isFalse() {
    try (Statement statement = database.prepare("SELECT 1 WHERE 0");
        Rows rows = statement.query()) {
      assertThat(rows.isClosed()).isTrue();
      assertThat(rows.next()).isFalse();
    }
  }

  @Test
  void next_afterClose_throws() {
    try (Statement statement = database.prepare(THREE)) {
      Rows fresh = statement.query();
      fresh.close();
      assertThatThrownBy(fresh::next).isInstanceOf(ClosedHandleException.class);
      Rows begun = statement.query();
      assertThat(begun.next()).isTrue();
      begun.close();
      assertThatThrownBy(begun::next).isInstanceOf(ClosedHandleException.class);
      assertThatThrownBy(() -> begun.getLong(0)).isInstanceOf(ClosedHandleException.class);
    }
  }

  @Test
  void close_inTheMiddle_resetsTheStatement() {
    try (Statement statement = database.prepare(THREE)) {
      try (Rows rows = statement.query()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.next()).isTrue();
      }
      try (Rows rows = statement.query()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(0)).isEqualTo(1);
      }
    }
  }

  @Test
  void query_whileRowsAreOpen_throws() {
    try (Statement statement = database.prepare(THREE);
        Rows rows = statement.query()) {
      assertThatThrownBy(statement::query)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(THREE);
      assertThatThrownBy(statement::execute).isInstanceOf(IllegalStateException.class);
      assertThat(rows.next()).isTrue();
      assertThat(rows.getLong(0)).isEqualTo(1);
    }
  }

  @Test
  void column_beforeNext_throws() {
    try (Statement statement = database.prepare(THREE);
        Rows rows = statement.query()) {
      assertThatThrownBy(() -> rows.getLong(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("next()");
    }
  }

  @Test
  void column_outOfRange_throws() {
    try (Statement statement = database.prepare("SELECT 1, 2");
        Rows rows = statement.query()) {
      assertThat(rows.next()).isTrue();
      for (int column : new int[] {-1, 2}) {
        assertThatThrownBy(() -> rows.text(column)).isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }

  @Test
  void column_asAnotherType_isConverted() {
    try (Statement statement = database.prepare("SELECT 12, 'abc', 1.5, x'41', ''");
        Rows rows = statement.query()) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.text(0)).isEqualTo("12");
      assertThat(rows.getLong(1)).isZero();
      assertThat(rows.getLong(2)).isEqualTo(1);
      assertThat(rows.text(3)).isEqualTo("A");
      assertThat(rows.text(4)).isEmpty();
    }
  }

  @Test
  void column_afterTheSchemaChanged_isThere() {
    try (Statement statement = database.prepare("SELECT * FROM t")) {
      database.execute("ALTER TABLE t ADD COLUMN more DEFAULT 'new'");
      try (Rows rows = statement.query()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.text(1)).isEqualTo("new");
      }
    }
  }

  @Test
  void query_thatFailsAtItsFirstRow_leavesTheStatementUsable() {
    try (Statement statement = database.prepare("SELECT abs(?1)")) {
      statement.bind(1, Long.MIN_VALUE);
      assertThatThrownBy(statement::query)
          .isInstanceOf(SqliteException.class)
          .hasMessageContaining("integer overflow");
      statement.bind(1, -5);
      try (Rows rows = statement.query()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(0)).isEqualTo(5);
      }
    }
  }

  @Test
  void next_thatFails_closesTheRows() {
    String sql = "SELECT abs(column1) FROM (VALUES (-1), (-9223372036854775807 - 1))";
    try (Statement statement = database.prepare(sql);
        Rows rows = statement.query()) {
      assertThat(rows.next()).isTrue();
      assertThatThrownBy(rows::next).isInstanceOf(SqliteException.class);
      assertThat(rows.isClosed()).isTrue();
      statement.query().close();
    }
  }
}
