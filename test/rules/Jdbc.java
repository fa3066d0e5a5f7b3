import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;

// The close of a pool's connection counts, not that of the driver's connection below it.
// library: JDBC
// with: com.h2database:h2:2.4.240 org.slf4j:slf4j-nop:1.7.36
// counts: com.zaxxer.hikari.pool.HikariProxyConnection opened=10 closed=7
// counts: com.zaxxer.hikari.pool.HikariProxyStatement opened=10 closed=7
public class Jdbc {
  public static void main(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:rules;DB_CLOSE_DELAY=-1");
    config.setMaximumPoolSize(4);
    config.setMinimumIdle(4);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      for (int i = 0; i < 7; i++) {
        query(pool, true);
      }
      for (int i = 0; i < 3; i++) {
        query(pool, false);
      }
    }
  }

  static void query(HikariDataSource pool, boolean close) throws Exception {
    Connection connection = pool.getConnection();
    Statement statement = connection.createStatement();
    try (ResultSet one = statement.executeQuery("select 1")) {
      one.next();
    }
    if (close) {
      statement.close();
      connection.close();
    }
  }
}
