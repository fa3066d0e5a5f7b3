package dev.offcut.examples.sqlite;

import java.io.Closeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is imported: records of equally many cells, read once from the first to the last. */
interface Records extends Closeable {
  /**
   * A column of the table.
   *
   * @param name unique among the columns, case aside
   * @param type as declared in SQL
   */
  record Column(String name, String type) {}

  /** The columns, in the order of the cells. The first is the one that is looked up by. */
  List<Column> columns();

  /**
   * The cells of the next record, or null at the end.
   *
   * @throws BadInput with the line and the reason
   */
  String @Nullable [] next() throws BadInput;

  /** How far {@link #next} has come, in {@link #unit}s. */
  long position();

  /** Where it ends, or 0 if that is not known. */
  long size();

  /** What position and size count. */
  String unit();

  /** Where the records come from, for the report. */
  String source();

  @Override
  void close();
}
