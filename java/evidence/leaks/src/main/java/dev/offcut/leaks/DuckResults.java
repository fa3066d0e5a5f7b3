package dev.offcut.leaks;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Queries whose statements are closed, and so their results should be. */
public final class DuckResults {
  private static final int QUERIES = 150;
  private static final String QUERY = "select repeat('x', 1000) || range from range(500)";

  private DuckResults() {}

  public static void main(String[] args) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      Observer.begin();
      for (int i = 0; i < QUERIES; i++) {
        query(connection);
      }
      Observer.end();
    }
  }

  private static void query(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(QUERY); // the leak
      ResultSet rows = statement.getResultSet();
      rows.next();
    }
  }
}
