package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What answers questions about a fleet by SQL. One thread. */
public interface Engine extends AutoCloseable {
  /** Why something is not answered that is no query, or more than one. */
  String ONE_QUERY =
      "fleet sql answers one query, such as SELECT; it changes nothing, so a statement of another kind,"
          + " or a second one, is refused";

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
  record Answer(List<String> columns, List<List<@Nullable Object>> rows) {
    /** A value of an engine as one of these classes. */
    public static @Nullable Object value(@Nullable Object value) {
      return switch (value) {
        case null -> null;
        case Integer small -> small.longValue();
        case Short small -> small.longValue();
        case Byte small -> small.longValue();
        case Float small -> small.doubleValue();
        case BigDecimal exact -> exact.doubleValue();
        case Long same -> same;
        case Double same -> same;
        case Boolean same -> same;
        default -> String.valueOf(value);
      };
    }
  }

  /**
   * Makes a table known to queries, under its title: all columns of {@link FleetTable#columns()},
   * then {@code date} (a date) and {@code service} (a text), which are in the folders of the name;
   * {@code processes} also has {@code file}, the hash. A column that a file lacks is null there.
   * What the table was before is forgotten. Without parts it has no rows.
   */
  void open(FleetTable table, List<Part> parts) throws Failure;

  /** Why a file cannot be read from its first byte to its last; empty if it can. */
  String problem(Part part) throws Failure;

  /** Whether a query may have failed because of what a file contains. */
  boolean mayBeDamage(Failure failure);

  /** Answers a query of Offcut's. */
  Answer query(String sql) throws Failure;

  /**
   * Answers a query of a user's, who may be anybody. It reads the tables that were opened, and
   * nothing else: it neither reads nor writes other files, and changes nothing. Whatever is not a
   * query is refused.
   */
  Answer ask(String sql) throws Failure;

  @Override
  void close();
}
