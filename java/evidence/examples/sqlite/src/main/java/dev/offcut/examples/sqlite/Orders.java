package dev.offcut.examples.sqlite;

import java.util.stream.IntStream;

/**
 * A table of orders, and queries about it. Each query has its own statement: prepared, run once,
 * and closed, unless the query is one that leaks. Every order is a function of its number, so every
 * answer can be checked.
 */
final class Orders {
  private static final String POINT = "SELECT quantity FROM orders WHERE number = ?1";
  private static final String RANGE =
      "SELECT quantity FROM orders WHERE number BETWEEN ?1 AND ?1 + 9";
  private static final String CUSTOMER =
      "SELECT quantity FROM orders WHERE customer = ?1 ORDER BY number LIMIT 5";

  private final Database database;
  private final int rows;

  Orders(Database database, int rows) {
    this.database = database;
    this.rows = rows;
  }

  /** Makes the table, numbered from 0, in one transaction. */
  void create() {
    database.execute(
        "CREATE TABLE orders (number INTEGER PRIMARY KEY, customer TEXT, quantity INTEGER)");
    database.execute("BEGIN");
    try (Statement insert = database.prepare("INSERT INTO orders VALUES (?, ?, ?)")) {
      for (int number = 0; number < rows; number++) {
        insert.bind(1, number).bind(2, customer(number)).bind(3, quantity(number)).execute();
      }
    }
    database.execute("CREATE INDEX orders_by_customer ON orders (customer)");
    database.execute("COMMIT");
  }

  /** Runs the query with this index and closes its statement. */
  void ask(long index) {
    int number = number(index);
    try (Statement statement = prepare(index, number)) {
      check(index, number, sum(statement));
    }
  }

  /** Runs the query with this index, and leaves its statement to the safety net. */
  void askAndForget(long index) {
    int number = number(index);
    check(index, number, sum(prepare(index, number)));
  }

  private Statement prepare(long index, int number) {
    return switch ((int) (index % 8)) {
      case 0 -> database.prepare(RANGE).bind(1, number);
      case 1, 2 -> database.prepare(CUSTOMER).bind(1, customer(number));
      default -> database.prepare(POINT).bind(1, number);
    };
  }

  private static long sum(Statement statement) {
    long sum = 0;
    try (Rows rows = statement.query()) {
      while (rows.next()) {
        sum += rows.getLong(0);
      }
    }
    return sum;
  }

  private void check(long index, int number, long sum) {
    IntStream found =
        switch ((int) (index % 8)) {
          case 0 -> IntStream.range(number, Math.min(rows, number + 10));
          case 1, 2 ->
              IntStream.iterate(number % customers(), of -> of < rows, of -> of + customers())
                  .limit(5);
          default -> IntStream.of(number);
        };
    long expected = found.mapToLong(Orders::quantity).sum();
    if (sum != expected) {
      throw new IllegalStateException(
          "query " + index + " about order " + number + " returned " + sum + ", not " + expected);
    }
  }

  /** Scattered over the table: the multiplier is 2^31 times the golden section. */
  private int number(long index) {
    return (int) (index * 1_327_217_885 % Integer.MAX_VALUE % rows);
  }

  private String customer(int number) {
    return "customer " + number % customers();
  }

  /** About eight orders each. */
  private int customers() {
    return rows / 8 + 1;
  }

  private static int quantity(int number) {
    return 1 + number % 12;
  }
}
