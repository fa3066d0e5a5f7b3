package dev.offcut.examples.sqlite;

import dev.offcut.examples.sqlite.Records.Column;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The table that is imported into: a column that numbers the records from 1, then theirs.
 *
 * @param plainName its name as the user gave it
 * @param plainNumber the numbering column's name
 * @param columns the records' columns
 */
record Table(String plainName, String plainNumber, List<Column> columns) {
  /** The table for these columns; the numbering column gets a name that is still free. */
  static Table of(String name, List<Column> columns) {
    String number = "record";
    while (isTaken(number, columns)) {
      number += "_";
    }
    return new Table(name, number, columns);
  }

  private static boolean isTaken(String name, List<Column> columns) {
    return columns.stream().anyMatch(column -> column.name().equalsIgnoreCase(name));
  }

  /** The name, quoted. */
  String name() {
    return quoted(plainName);
  }

  /** The numbering column, quoted. */
  String number() {
    return quoted(plainNumber);
  }

  /** The column that is looked up by, quoted. */
  String key() {
    return quoted(columns.get(0).name());
  }

  /** The statement that makes the table. */
  String create() {
    return columns.stream()
        .map(column -> quoted(column.name()) + " " + column.type())
        .collect(
            Collectors.joining(
                ", ", "CREATE TABLE " + name() + " (" + number() + " INTEGER PRIMARY KEY, ", ")"));
  }

  /** The statement that makes the index of the look-ups. */
  String createIndex() {
    String index = quoted(plainName + "_by_" + columns.get(0).name());
    return "CREATE INDEX " + index + " ON " + name() + " (" + key() + ")";
  }

  /** The statement that inserts one record. */
  String insert() {
    return "INSERT INTO " + name() + " VALUES (?" + ", ?".repeat(columns.size()) + ")";
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
