package dev.offcut.bench.sqlite;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import dev.offcut.examples.sqlite.Database;
import dev.offcut.examples.sqlite.Rows;
import dev.offcut.examples.sqlite.Statement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Statements on a table in memory. An operation of {@code prepared} compiles a query, binds a
 * number and a text, reads the two columns of its one row, and closes it; that of {@code kept} does
 * the same without compiling and closing; that of {@code insert} binds a number, a text and a
 * floating-point number, and adds a row, of which there are 1,000 at most.
 *
 * <p>Arguments: implementation, which operation, CPU seconds of warm-up, seconds of measurement,
 * the version that its SQLite must have, or nothing.
 */
final class Statements {
  private static final int ROWS = 10_000;
  private static final int ADDED = 1_000;
  private static final String TABLE = "CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT)";
  private static final String ADD = "INSERT INTO city VALUES (?, ?)";
  private static final String QUERY = "SELECT id, name FROM city WHERE id = ? AND name <> ?";
  private static final String VISITS = "CREATE TABLE visit (city INTEGER, who TEXT, weight REAL)";
  private static final String VISIT = "INSERT INTO visit VALUES (?, ?, ?)";
  private static final String FORGET = "DELETE FROM visit";

  private Statements() {}

  public static void main(String[] args) throws InterruptedException {
    Side side = args[0].equals("offcut") ? new Handles() : new Jdbc();
    Workers.run(
            List.of(new Loop(side, args[1], args[4])), Child.nanos(args[2]), Child.nanos(args[3]))
        .report();
  }

  /** One way to SQLite. A child JVM loads one, so that its calls inline. */
  private interface Side {
    /** Returns the version of SQLite. */
    String open();

    /** Returns the length of the name that was found. */
    int prepared(long id);

    int kept(long id);

    void insert(long id, String who);

    void forget();

    void close();
  }

  private static String name(long id) {
    return "Stadt Nummer " + id;
  }

  private static final class Loop implements Workers.Work {
    private static final String NOBODY = "nobody";

    private final Side side;
    private final String what;
    private final String sqlite;
    private long next;
    private long found;
    private long expected;

    Loop(Side side, String what, String sqlite) {
      this.side = side;
      this.what = what;
      this.sqlite = sqlite;
    }

    @Override
    public void begin() {
      String opened = side.open();
      if (!sqlite.isEmpty() && !opened.equals(sqlite)) {
        throw new IllegalStateException("SQLite " + opened + " in place of " + sqlite);
      }
    }

    @Override
    public void times(int operations) {
      for (int i = 0; i < operations; i++) {
        long id = 1 + next++ % ROWS;
        expected += name(id).length();
        switch (what) {
          case "prepared" -> found += side.prepared(id);
          case "kept" -> found += side.kept(id);
          case "insert" -> {
            side.insert(id, NOBODY);
            found += name(id).length();
            if (next % ADDED == 0) {
              side.forget();
            }
          }
          default -> throw new IllegalArgumentException(what);
        }
      }
    }

    @Override
    public int chunk() {
      return 256;
    }

    @Override
    public void end() {
      side.close();
    }

    @Override
    public void check() {
      if (found != expected) {
        throw new AssertionError("names of " + found + " characters in place of " + expected);
      }
    }
  }

  /** {@code offcut}: the binding of {@code java/evidence/examples/sqlite}. */
  private static final class Handles implements Side {
    private @Nullable Database opened;
    private @Nullable Statement query;
    private @Nullable Statement insert;

    @Override
    public String open() {
      Database database = Database.inMemory();
      opened = database;
      database.execute(TABLE);
      database.execute(VISITS);
      database.execute("BEGIN");
      try (Statement add = database.prepare(ADD)) {
        for (int id = 1; id <= ROWS; id++) {
          add.bind(1, id).bind(2, name(id)).execute();
        }
      }
      database.execute("COMMIT");
      query = database.prepare(QUERY);
      insert = database.prepare(VISIT);
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
      try (Rows rows = statement.bind(1, id).bind(2, "Nirgends").query()) {
        while (rows.next()) {
          length += rows.getLong(0) == id ? text(rows).length() : 0;
        }
      }
      return length;
    }

    private static String text(Rows rows) {
      return Objects.requireNonNull(rows.text(1));
    }

    @Override
    public void insert(long id, String who) {
      Objects.requireNonNull(insert).bind(1, id).bind(2, who).bind(3, 0.5 * id).execute();
    }

    @Override
    public void forget() {
      Objects.requireNonNull(opened).execute(FORGET);
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
    private @Nullable PreparedStatement insert;

    private Connection connection() {
      return Objects.requireNonNull(opened);
    }

    @Override
    public String open() {
      try {
        opened = DriverManager.getConnection("jdbc:sqlite::memory:");
        execute(TABLE);
        execute(VISITS);
        connection().setAutoCommit(false);
        try (PreparedStatement add = connection().prepareStatement(ADD)) {
          for (int id = 1; id <= ROWS; id++) {
            add.setLong(1, id);
            add.setString(2, name(id));
            add.executeUpdate();
          }
        }
        connection().commit();
        connection().setAutoCommit(true);
        query = connection().prepareStatement(QUERY);
        insert = connection().prepareStatement(VISIT);
        return connection().getMetaData().getDatabaseProductVersion();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    private void execute(String sql) throws SQLException {
      try (java.sql.Statement statement = connection().createStatement()) {
        statement.executeUpdate(sql);
      }
    }

    @Override
    public int prepared(long id) {
      try (PreparedStatement statement = connection().prepareStatement(QUERY)) {
        return ask(statement, id);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public int kept(long id) {
      try {
        return ask(Objects.requireNonNull(query), id);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    private static int ask(PreparedStatement statement, long id) throws SQLException {
      statement.setLong(1, id);
      statement.setString(2, "Nirgends");
      int length = 0;
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          length += rows.getLong(1) == id ? rows.getString(2).length() : 0;
        }
      }
      return length;
    }

    @Override
    public void insert(long id, String who) {
      try {
        PreparedStatement statement = Objects.requireNonNull(insert);
        statement.setLong(1, id);
        statement.setString(2, who);
        statement.setDouble(3, 0.5 * id);
        statement.executeUpdate();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void forget() {
      try {
        execute(FORGET);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      try {
        connection().close();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
