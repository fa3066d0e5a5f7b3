package dev.offcut.fleet.duckdb;

import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Temporary;
import dev.offcut.fleet.Engine;
import dev.offcut.fleet.FleetTable;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The default engine: DuckDB in this process, on all cores. */
public final class DuckDbEngine implements Engine {
  /** Of the largest Java heap, which by default is a quarter of the memory. */
  private static final long SHARE = 2;

  /** Before the error that matters, if there are two. */
  private static final String INNER = "\nError: ";

  /** What is wrong with a query, whatever is in the files. */
  private static final Pattern OF_QUERY =
      Pattern.compile(
          Pattern.quote(ONE_QUERY) + "|DuckDB: (Parser|Binder|Catalog|Permission) Error");

  private final Connection database;

  /** All tables. */
  private final Map<FleetTable, List<Part>> tables = new EnumMap<>(FleetTable.class);

  /** Files that queries may read. */
  private final Set<String> files = new TreeSet<>();

  /** Tables that no query has asked for yet. */
  private final Map<FleetTable, List<Part>> unopened = new EnumMap<>(FleetTable.class);

  private DuckDbEngine(Connection database) {
    this.database = database;
  }

  public static DuckDbEngine open() throws Failure {
    try {
      return new DuckDbEngine(connect());
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** A database in memory, which puts what does not fit into temporary files. */
  static Connection connect() throws SQLException {
    Connection database = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = database.createStatement()) {
      Path spill = Temporary.folder().resolve("spill");
      statement.execute("SET temp_directory = " + quoted(spill.toString()));
      long kib = (Runtime.getRuntime().maxMemory() >> 10) * SHARE;
      statement.execute("SET memory_limit = '" + kib + "KiB'");
      statement.execute("SET preserve_insertion_order = false");
    } catch (IOException e) {
      throw new SQLException("cannot write temporary files: " + e.getMessage(), e);
    }
    return database;
  }

  @Override
  public void open(FleetTable table, List<Part> parts) throws Failure {
    tables.put(table, parts);
    unopened.put(table, parts);
  }

  /** Files are looked into when a query is about their table: they may have to be fetched. */
  private void openThoseIn(String sql) throws Failure {
    Set<FleetTable> named = EnumSet.copyOf(unopened.keySet());
    named.removeIf(table -> !sql.toLowerCase(Locale.ROOT).contains(table.title()));
    for (FleetTable table : named.isEmpty() ? Set.copyOf(unopened.keySet()) : named) {
      execute(
          "CREATE OR REPLACE VIEW %s AS %s"
              .formatted(table.title(), select(table, unopened.getOrDefault(table, List.of()))));
      unopened.remove(table);
    }
  }

  /** The rows of a table in files: those that count, with all columns. */
  String select(FleetTable table, List<Part> parts) throws Failure {
    List<Part> whole = parts.stream().filter(part -> part.without().isEmpty()).toList();
    List<String> selects = new ArrayList<>();
    if (!whole.isEmpty()) {
      selects.add(select(table, local(whole), Set.of()));
    }
    for (Part part : parts) {
      if (!part.without().isEmpty()) {
        selects.add(select(table, local(List.of(part)), part.without()));
      }
    }
    return selects.isEmpty() ? empty(table) : String.join(" UNION ALL ", selects);
  }

  private static List<String> local(List<Part> parts) throws Failure {
    return parts.getFirst().store().local(parts.stream().map(Part::name).toList()).stream()
        .map(Path::toString)
        .toList();
  }

  private String select(FleetTable table, List<String> paths, Set<String> without) throws Failure {
    files.addAll(paths);
    String read =
        "read_parquet(["
            + paths.stream().map(DuckDbEngine::quoted).collect(Collectors.joining(","))
            + "], union_by_name = true, filename = 'path of the file', hive_partitioning = true,"
            + " hive_types = {'date': DATE, 'service': VARCHAR})";
    Set<String> there = columns(read);
    List<String> columns = new ArrayList<>();
    for (FleetTable.Column column : table.columns()) {
      columns.add(
          there.contains(column.name())
              ? name(column)
              : "CAST(NULL AS " + type(column) + ") AS " + name(column));
    }
    columns.add("date");
    columns.add("service");
    if (table == FleetTable.PROCESSES) {
      columns.add("regexp_extract(\"path of the file\", '([^/\\\\]+)\\.parquet$', 1) AS file");
    }
    String where =
        without.isEmpty()
            ? ""
            : " WHERE source NOT IN ("
                + without.stream()
                    .sorted()
                    .map(DuckDbEngine::quoted)
                    .collect(Collectors.joining(","))
                + ")";
    return "SELECT " + String.join(", ", columns) + " FROM " + read + where;
  }

  private Set<String> columns(String read) throws Failure {
    Set<String> names = new HashSet<>();
    answer("DESCRIBE SELECT * FROM " + read)
        .rows()
        .forEach(row -> names.add(String.valueOf(row.getFirst())));
    return names;
  }

  private static String empty(FleetTable table) {
    List<String> columns = new ArrayList<>();
    for (FleetTable.Column column : table.columns()) {
      columns.add("CAST(NULL AS " + type(column) + ") AS " + name(column));
    }
    columns.add("CAST(NULL AS DATE) AS date");
    columns.add("CAST(NULL AS VARCHAR) AS service");
    if (table == FleetTable.PROCESSES) {
      columns.add("CAST(NULL AS VARCHAR) AS file");
    }
    return "SELECT " + String.join(", ", columns) + " WHERE 1 = 0";
  }

  static String name(FleetTable.Column column) {
    return '"' + column.name() + '"';
  }

  static String type(FleetTable.Column column) {
    return switch (column.type()) {
      case "long" -> "BIGINT";
      case "boolean" -> "BOOLEAN";
      default -> "VARCHAR";
    };
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  @Override
  public Answer query(String sql) throws Failure {
    if (!unopened.isEmpty()) {
      openThoseIn(sql);
    }
    return answer(sql);
  }

  @Override
  public String problem(Part part) throws Failure {
    String path = quoted(local(List.of(part)).getFirst().toString());
    try {
      answer("SELECT bit_xor(hash(row)) FROM read_parquet(" + path + ") AS row");
      return "";
    } catch (Failure e) {
      return e.sentence();
    }
  }

  @Override
  public boolean mayBeDamage(Failure failure) {
    return !OF_QUERY.matcher(failure.sentence()).lookingAt();
  }

  /** In a database of its own, since what is locked stays locked. */
  @Override
  public Answer ask(String sql) throws Failure {
    try (DuckDbEngine locked = open()) {
      tables.forEach(locked.unopened::put);
      locked.checkIsQuery(sql);
      locked.openThoseIn(sql);
      locked.lock();
      return locked.answer(sql);
    }
  }

  /** DuckDB itself says what it parses: it can only make JSON of queries. */
  private void checkIsQuery(String sql) throws Failure {
    Answer parsed =
        answer(
            "SELECT json ->> 'error_type', json ->> 'error_message', json_array_length(json,"
                + " 'statements') FROM (SELECT json_serialize_sql(CAST("
                + quoted(sql)
                + " AS VARCHAR)) AS json)");
    List<@Nullable Object> row = parsed.rows().getFirst();
    if ("parser".equals(row.get(0))) {
      throw Failure.other("DuckDB: Parser Error: " + row.get(1));
    }
    if (!Long.valueOf(1).equals(row.get(2))) {
      throw Failure.other(ONE_QUERY);
    }
  }

  /** From now on only the files of the opened tables can be read, and no option can be changed. */
  private void lock() throws Failure {
    execute(
        "SET allowed_paths = ["
            + files.stream().map(DuckDbEngine::quoted).collect(Collectors.joining(","))
            + "]");
    execute("SET autoload_known_extensions = false");
    execute("SET autoinstall_known_extensions = false");
    execute("SET enable_external_access = false");
    execute("SET lock_configuration = true");
  }

  private Answer answer(String sql) throws Failure {
    try (Statement statement = database.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
        columns.add(result.getMetaData().getColumnName(i));
      }
      List<List<@Nullable Object>> rows = new ArrayList<>();
      while (result.next()) {
        List<@Nullable Object> row = new ArrayList<>();
        for (int i = 1; i <= columns.size(); i++) {
          row.add(value(result.getObject(i)));
        }
        rows.add(row);
      }
      return new Answer(columns, rows);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static @Nullable Object value(@Nullable Object value) {
    return value instanceof BigInteger large && large.bitLength() < Long.SIZE
        ? (Object) large.longValue()
        : Answer.value(value);
  }

  Connection database() {
    return database;
  }

  void execute(String sql) throws Failure {
    try (Statement statement = database.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** A sentence: what DuckDB says, without the query that it may show behind it. */
  static Failure failed(SQLException e) {
    return Failure.other("DuckDB: " + message(e));
  }

  /** The first paragraph of the innermost error. */
  static String message(SQLException e) {
    String message = String.valueOf(e.getMessage());
    int inner = message.indexOf(INNER);
    return message
        .substring(inner < 0 ? 0 : inner + INNER.length())
        .lines()
        .takeWhile(line -> !line.isBlank())
        .collect(Collectors.joining(" "));
  }

  @Override
  public void close() {
    try {
      database.close();
    } catch (SQLException e) {
      // Nothing is in it that anybody needs.
    }
  }
}
