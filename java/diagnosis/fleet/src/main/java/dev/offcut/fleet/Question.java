package dev.offcut.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;

/**
 * A query of the reports, in the SQL that DuckDB and Spark both know: the file {@code
 * sql/NAME.sql}. Words with a colon before them stand for values.
 */
public record Question(String name) {
  /** Its text, with the values in it: numbers, and texts in quotes. */
  public String sql(Map<String, Object> values) {
    String sql = text();
    for (Map.Entry<String, Object> value : values.entrySet()) {
      sql =
          sql.replaceAll(
              ":" + value.getKey() + "\\b", Matcher.quoteReplacement(literal(value.getValue())));
    }
    return sql;
  }

  private static String literal(Object value) {
    return value instanceof Number
        ? value.toString()
        : "'" + String.valueOf(value).replace("'", "''") + "'";
  }

  private String text() {
    String file = "sql/" + name + ".sql";
    try (InputStream in = Question.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it is in the same jar
    }
  }
}
