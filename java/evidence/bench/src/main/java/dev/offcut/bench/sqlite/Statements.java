package dev.offcut.bench.sqlite;

import dev.offcut.examples.sqlite.Database;
import dev.offcut.examples.sqlite.Rows;
import dev.offcut.examples.sqlite.Statement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A query on a table in memory. An operation of {@code prepared} compiles it, binds a number and a
 * text, reads the two columns of its one row, and closes it; that of {@code kept} does the same
 * without compiling and closing.
 */
@State(Scope.Thread)
public class Statements {
  private static final int ROWS = 10_000;
  private static final String TABLE = "CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT)";
  private static final String ADD = "INSERT INTO city VALUES (?, ?)";
  private static final String QUERY = "SELECT id, name FROM city WHERE id = ? AND name <> ?";
  private static final String NOWHERE = "Nirgends";

  /** As in the rows. */
  @Param("offcut")
  public String impl = "";

  /** The case. */
  @Param("kept")
  public String what = "";

  /** The version that its SQLite must have; empty: any. */
  @Param("any")
  public String sqlite = "";

  private @Nullable Side side;
  private boolean isKept;
  private long next;

  /** Fills the table. */
  @Setup
  public void setUp() throws SQLException {
    isKept = what.equals("kept");
    Side opened = impl.equals("offcut") ? new Handles() : new Jdbc();
    side = opened;
    String version = opened.open();
    if (!sqlite.equals("any") && !version.equals(sqlite)) {
      throw new IllegalStateException("SQLite " + version + " in place of " + sqlite);
    }
  }

  /** One query. */
  @Benchmark
  public void query() throws SQLException {
    Side opened = Objects.requireNonNull(side);
    long id = 1 + next++ % ROWS;
    int length = isKept ? opened.kept(id) : opened.prepared(id);
    if (length != name(id).length()) {
      throw new AssertionError("city " + id + " has a name of " + length + " characters");
    }
  }

  /** Closes the database. */
  @TearDown
  public void end() throws SQLException {
    Objects.requireNonNull(side).close();
  }

  private static String name(long id) {
    return "Stadt Nummer " + id;
  }

  /** One way to SQLite. A JVM loads one, so that its calls inline. */
  private interface Side {
    /** Returns the version of SQLite. */
    String open() throws SQLException;

    /** Returns the length of the name that was found. */
    int prepared(long id) throws SQLException;

    int kept(long id) throws SQLException;

    void close() throws SQLException;
  }

  /** {@code offcut}: the binding of {@code java/evidence/examples/sqlite}. */
  private static final class Handles implements Side {
    private @Nullable Database opened;
    private @Nullable Statement query;

    @Override
    public String open() {
      Database database = Database.inMemory();
      opened = database;
      database.execute(TABLE);
      database.execute("BEGIN");
      try (Statement add = database.prepare(ADD)) {
        for (int id = 1; id <= ROWS; id++) {
          add.bind(1, id).bind(2, name(id)).execute();
        }
      }
      database.execute("COMMIT");
      query = database.prepare(QUERY);
      return Database.version();
    }

    @Override
    public int prepared(long id) {
      try (Statement statement = Objects.requireNonNull(opened).prepare(QUERY)) {
        return ask(statement, id);
      }
    }

    @Override
    public int kept(long id) {
      return ask(Objects.requireNonNull(query), id);
    }

    private static int ask(Statement statement, long id) {
      int length = 0;
      try (Rows rows = statement.bind(1, id).bind(2, NOWHERE).query()) {
        while (rows.next()) {
          length += rows.getLong(0) == id ? Objects.requireNonNull(rows.text(1)).length() : 0;
        }
      }
      return length;
    }

    @Override
    public void close() {
      Objects.requireNonNull(opened).close();
    }
  }

  /** {@code sqlite-jdbc}, by the statements of JDBC. */
  private static final class Jdbc implements Side {
    private @Nullable Connection opened;
    private @Nullable PreparedStatement query;

    @Override
    public String open() throws SQLException {
      Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
      opened = connection;
      try (java.sql.Statement statement = connection.createStatement()) {
        statement.executeUpdate(TABLE);
      }
      connection.setAutoCommit(false);
      try (PreparedStatement add = connection.prepareStatement(ADD)) {
        for (int id = 1; id <= ROWS; id++) {
          add.setLong(1, id);
          add.setString(2, name(id));
          add.executeUpdate();
        }
      }
      connection.commit();
      connection.setAutoCommit(true);
      query = connection.prepareStatement(QUERY);
      return connection.getMetaData().getDatabaseProductVersion();
    }

    @Override
    public int prepared(long id) throws SQLException {
      Connection connection = Objects.requireNonNull(opened);
      try (PreparedStatement statement = connection.prepareStatement(QUERY)) {
        return ask(statement, id);
      }
    }

    @Override
    public int kept(long id) throws SQLException {
      return ask(Objects.requireNonNull(query), id);
    }

    private static int ask(PreparedStatement statement, long id) throws SQLException {
      statement.setLong(1, id);
      statement.setString(2, NOWHERE);
      int length = 0;
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          length += rows.getLong(1) == id ? rows.getString(2).length() : 0;
        }
      }
      return length;
    }

    @Override
    public void close() throws SQLException {
      Objects.requireNonNull(opened).close();
    }
  }
}
