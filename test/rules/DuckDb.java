import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

// library: DuckDB
// counts: org.duckdb.DuckDBConnection opened=10 closed=6 ended=4
// counts: org.duckdb.DuckDBPreparedStatement opened=20 closed=16 ended=4
// counts: org.duckdb.DuckDBResultSet opened=20 closed=20
public class DuckDb {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 10; i++) {
      query(i < 6);
    }
  }

  static void query(boolean close) throws Exception {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    Statement statement = connection.createStatement();
    try (ResultSet one = statement.executeQuery("select 1")) {
      one.next();
    }
    try (Statement alone = connection.createStatement()) {
      alone.executeQuery("select 1").next(); // closed with its statement
    }
    if (close) {
      statement.close();
      connection.close();
    }
  }
}
