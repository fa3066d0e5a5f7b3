package dev.offcut.examples.sqlite;

import java.util.List;

/** One kind of question about the imported table, with the answer that is right. */
abstract class Query {
  private static final int RANGE = 10;
  private static final int TOTAL = 50;
  private static final int SAME_KEY = 5;

  final String sql;

  private Query(String sql) {
    this.sql = sql;
  }

  /** Gives the statement the parameters for the question that begins at {@code record}. */
  abstract void bind(Statement statement, int record);

  /** The sum that {@link #fold} should give. */
  abstract long expected(int record);

  /** What one row of the answer adds to the sum: its fingerprint, where rows are records. */
  long fold(Rows row) {
    long print = Fingerprint.of(row.getLong(0));
    for (int column = 1; column < row.columnCount(); column++) {
      String cell = row.text(column);
      print = Fingerprint.with(print, cell == null ? "NULL" : cell);
    }
    return print;
  }

  /**
   * The kinds, as often as they are asked: look-ups by number most, then by key, ranges, totals.
   */
  static List<Query> mix(Table table, Reference reference) {
    Query point = point(table, reference);
    Query lookup = lookup(table, reference);
    Query range = range(table, reference);
    Query total = total(table, reference);
    return List.of(point, point, point, point, lookup, lookup, range, total);
  }

  private static Query point(Table table, Reference reference) {
    return new Query("SELECT * FROM " + table.name() + " WHERE " + table.number() + " = ?1") {
      @Override
      void bind(Statement statement, int record) {
        statement.bind(1, record);
      }

      @Override
      long expected(int record) {
        return reference.prints(record, record);
      }
    };
  }

  private static Query lookup(Table table, Reference reference) {
    String sql =
        "SELECT * FROM %s WHERE %s = ?1 ORDER BY %s LIMIT %d"
            .formatted(table.name(), table.key(), table.number(), SAME_KEY);
    return new Query(sql) {
      @Override
      void bind(Statement statement, int record) {
        statement.bind(1, reference.key(record));
      }

      @Override
      long expected(int record) {
        return reference.printsOfKey(record, SAME_KEY);
      }
    };
  }

  private static Query range(Table table, Reference reference) {
    String sql =
        "SELECT * FROM %s WHERE %s BETWEEN ?1 AND ?2".formatted(table.name(), table.number());
    return new Query(sql) {
      @Override
      void bind(Statement statement, int record) {
        statement.bind(1, record).bind(2, last(record));
      }

      @Override
      long expected(int record) {
        return reference.prints(record, last(record));
      }

      private int last(int record) {
        return Math.min(record + RANGE - 1, reference.count());
      }
    };
  }

  private static Query total(Table table, Reference reference) {
    String sql =
        "SELECT count(*), sum(length(CAST(%s AS BLOB))) FROM %s WHERE %s BETWEEN ?1 AND ?2"
            .formatted(table.key(), table.name(), table.number());
    return new Query(sql) {
      @Override
      void bind(Statement statement, int record) {
        statement.bind(1, record).bind(2, last(record));
      }

      @Override
      long fold(Rows row) {
        return Fingerprint.mix(row.getLong(0)) + row.getLong(1);
      }

      @Override
      long expected(int record) {
        int last = last(record);
        return Fingerprint.mix(last - record + 1) + reference.keyBytes(record, last);
      }

      private int last(int record) {
        return Math.min(record + TOTAL - 1, reference.count());
      }
    };
  }
}
