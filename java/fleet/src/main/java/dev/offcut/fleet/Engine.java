package dev.offcut.fleet;

import dev.offcut.cli.source.Failure;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What answers questions about a fleet by SQL. One thread. */
public interface Engine extends AutoCloseable {
  /**
   * A file of a table.
   *
   * @param name of the file in the store
   * @param hash its name without the ending
   * @param without sources whose rows in it do not count
   */
  record Part(Store store, String name, String hash, Set<String> without) {}

  /**
   * An answer.
   *
   * @param columns their names
   * @param rows values of the classes String, Long, Double, Boolean, or null
   */
  record Answer(List<String> columns, List<List<@Nullable Object>> rows) {}

  /**
   * Makes a table known to queries, under its title: all columns of {@link FleetTable#columns()},
   * then {@code date} (a date) and {@code service} (a text), which are in the folders of the name;
   * {@code processes} also has {@code file}, the hash. A column that a file lacks is null there.
   * What the table was before is forgotten. Without parts it has no rows.
   */
  void open(FleetTable table, List<Part> parts) throws Failure;

  /** Answers a query. */
  Answer query(String sql) throws Failure;

  @Override
  void close();
}
