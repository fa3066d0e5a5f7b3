package dev.offcut.apps;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A session with an H2 database in a file, which also compiles a Java function of the session's own
 * in a class loader of its own.
 */
public final class DatabaseSession {
  private static final int ROWS = 5_000;
  private static final int QUERIES = 500;

  private DatabaseSession() {}

  /** {@code [TIMES]}: each time a database of its own. */
  public static void main(String[] args) throws IOException, SQLException {
    int times = Times.of(args);
    for (int i = 0; i < times; i++) {
      String said = run();
      if (i == 0) {
        System.out.println(said);
      }
    }
    System.out.println("used " + times + " databases");
  }

  private static String run() throws IOException, SQLException {
    try (Scratch scratch = Scratch.create()) {
      String address = "jdbc:h2:" + scratch.path().resolve("orders");
      try (Connection connection = DriverManager.getConnection(address, "sa", "")) {
        fill(connection);
      }
      try (Connection connection = DriverManager.getConnection(address, "sa", "")) {
        return ask(connection);
      }
    }
  }

  private static void fill(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "create table orders(id int primary key, customer int, cents bigint, note varchar)");
      statement.execute("create index by_customer on orders(customer)");
      statement.execute("create alias doubled as 'long doubled(long value) { return 2 * value; }'");
    }
    connection.setAutoCommit(false);
    try (PreparedStatement insert =
        connection.prepareStatement("insert into orders values(?, ?, ?, ?)")) {
      for (int i = 0; i < ROWS; i++) {
        insert.setInt(1, i);
        insert.setInt(2, i % 97);
        insert.setLong(3, i * 37L % 1009);
        insert.setString(4, "order number " + i);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    connection.commit();
  }

  private static String ask(Connection connection) throws SQLException {
    long sum = 0;
    try (PreparedStatement query =
        connection.prepareStatement(
            "select count(*), sum(doubled(cents)), max(note) from orders where customer = ?")) {
      for (int i = 0; i < QUERIES; i++) {
        query.setInt(1, i % 97);
        try (ResultSet rows = query.executeQuery()) {
          while (rows.next()) {
            sum = 31 * sum + rows.getLong(1) + rows.getLong(2) + rows.getString(3).hashCode();
          }
        }
      }
    }
    return QUERIES + " queries of " + ROWS + " rows, fingerprint " + sum;
  }
}
