package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.ClosedHandleException;
import dev.offcut.handle.HandleSnapshot;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Handles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Rows before statements before databases, whoever closes: SQLite itself refuses to close a
 * connection that has statements, and the releaser then throws.
 */
final class ClosingOrderTest {
  private static final int MANY = 1_000;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @Test
  void close_eachInOrder_succeeds() {
    Database database = Database.inMemory();
    Statement statement = database.prepare("VALUES (1), (2)");
    Rows rows = statement.query();
    rows.close();
    assertThat(OpenStatements.of(database)).isEqualTo(1);
    statement.close();
    assertThat(OpenStatements.of(database)).isZero();
    database.close();
  }

  @Test
  void close_ofTheDatabase_closesStatementsAndRows() {
    Database database = Database.inMemory();
    List<Statement> statements = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      statements.add(database.prepare("VALUES (1), (2)"));
    }
    Rows rows = statements.get(0).query();
    assertThat(rows.next()).isTrue();
    long failures = failures();
    database.close();
    assertThat(statements).allMatch(Statement::isClosed);
    assertThat(rows.isClosed()).isTrue();
    assertThat(failures()).isEqualTo(failures);
    assertThatThrownBy(() -> statements.get(1).query()).isInstanceOf(ClosedHandleException.class);
  }

  @Test
  void close_ofTheStatement_closesItsRowsAndNoOther() {
    try (Database database = Database.inMemory();
        Statement other = database.prepare("VALUES (1), (2)");
        Rows others = other.query()) {
      Statement statement = database.prepare("VALUES (1), (2)");
      Rows rows = statement.query();
      statement.close();
      assertThat(rows.isClosed()).isTrue();
      assertThat(others.next()).isTrue();
      assertThat(OpenStatements.of(database)).isEqualTo(1);
    }
  }

  @Test
  void close_duringAUse_waitsForItsEnd() {
    Database database = Database.inMemory();
    Statement statement = database.prepare("VALUES (1), (2)");
    long code =
        statement.withLong(
            stmt -> {
              database.close();
              assertThat(statement.isClosed()).isTrue();
              return Statements.step(stmt);
            });
    assertThat(code).isEqualTo(Statements.ROW);
    assertThatThrownBy(() -> database.prepare("SELECT 1"))
        .isInstanceOf(ClosedHandleException.class);
  }

  @Test
  void forgotten_statements_areFinalizedUnderAnOpenDatabase() {
    long before = forgotten(Statement.TYPE);
    try (Database database = Database.inMemory()) {
      prepareAndForget(database, MANY);
      assertThat(OpenStatements.of(database)).isEqualTo(MANY);
      assertThat(Handles.drain(LIMIT)).isTrue();
      assertThat(OpenStatements.of(database)).isZero();
    }
    assertThat(forgotten(Statement.TYPE) - before).isEqualTo(MANY);
  }

  @Test
  void forgotten_familiesOfThree_areReleasedYoungestFirst() {
    long databases = forgotten(Database.TYPE);
    long statements = forgotten(Statement.TYPE);
    long rows = forgotten(Rows.TYPE);
    long failures = failures();
    for (int i = 0; i < 20; i++) {
      queryAndForget(Database.inMemory(), 10);
    }
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(forgotten(Database.TYPE) - databases).isEqualTo(20);
    assertThat(forgotten(Statement.TYPE) - statements).isEqualTo(200);
    assertThat(forgotten(Rows.TYPE) - rows).isEqualTo(200);
    assertThat(failures()).as("sqlite3_close said OK each time").isEqualTo(failures);
  }

  @Test
  void forgotten_rowsOfALivingStatement_areResetBeforeItRunsAgain() {
    try (Database database = Database.inMemory();
        Statement statement = database.prepare("VALUES (1), (2)")) {
      forgetRows(statement);
      assertThatThrownBy(statement::query).isInstanceOf(IllegalStateException.class);
      assertThat(Handles.drain(LIMIT)).isTrue();
      try (Rows rows = statement.query()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(0)).isEqualTo(1);
      }
    }
  }

  private static void prepareAndForget(Database database, int count) {
    for (int i = 0; i < count; i++) {
      database.prepare("SELECT " + i);
    }
  }

  private static void queryAndForget(Database database, int count) {
    for (int i = 0; i < count; i++) {
      forgetRows(database.prepare("VALUES (1), (2)"));
    }
  }

  private static void forgetRows(Statement statement) {
    assertThat(statement.query().next()).isTrue();
  }

  private static long forgotten(HandleType type) {
    return Handles.snapshot().of(type).forgotten();
  }

  private static long failures() {
    return Handles.snapshot().types().stream().mapToLong(HandleSnapshot.OfType::failures).sum();
  }
}
