package dev.offcut.leaks;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** A service with one connection, which is open as long as it runs, and statements left open. */
public final class SqliteStatements {
  private static final int QUERIES = 5_000;
  private static final String QUERY =
      "select a.note, sum(b.cents) from orders a join orders b on a.customer = b.customer"
          + " where a.id = ? group by a.note order by 2 desc";

  private SqliteStatements() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
    try (Statement create = connection.createStatement()) {
      create.execute("create table orders(id integer primary key, customer, cents, note)");
    }
    Observer.begin();
    for (int i = 0; i < QUERIES; i++) {
      query(connection, fixed);
    }
    Observer.end();
    System.exit(connection.isClosed() ? 1 : 0); // as a server that is stopped
  }

  private static void query(Connection connection, boolean fixed) throws SQLException {
    PreparedStatement query = connection.prepareStatement(QUERY); // the leak
    query.setInt(1, 7);
    query.executeQuery().next();
    if (fixed) {
      query.close();
    }
  }
}
