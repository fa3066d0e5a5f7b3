import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;

// library: SQLite JDBC
// with: org.slf4j:slf4j-nop:1.7.36
// counts: org.sqlite.jdbc4.JDBC4Connection opened=10 closed=6 lost=4
// counts: org.sqlite.jdbc4.JDBC4PreparedStatement opened=20 closed=12 ended=8
public class Sqlite {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 10; i++) {
      query(i < 6);
    }
  }

  static void query(boolean close) throws Exception {
    Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
    PreparedStatement first = connection.prepareStatement("select 1");
    PreparedStatement second = connection.prepareStatement("select 2");
    try (ResultSet one = first.executeQuery()) {
      one.next();
    }
    if (close) {
      first.close();
      second.close();
      connection.close();
    }
  }
}
