package dev.offcut.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.command.read.Failure;
import dev.offcut.fleet.duckdb.DuckDbEngine;
import dev.offcut.fleet.duckdb.DuckDbWriter;
import dev.offcut.fleet.duckdb.FleetAdd;
import dev.offcut.fleet.spark.SparkCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Both engines on one fleet; Spark in this JVM. */
class FleetOnSparkTest {
  private static final long START_MS = 1_790_000_003_456L;
  private static final long DAY_MS = 86_400_000;

  /** Set by test/spark.sh: queries are compiled, as on a cluster, and sources are added, too. */
  private static final String ALL = "offcut.spark.all";

  private static final LocalDate SINCE = LocalDate.of(2026, 9, 22);

  /** A folder whose name has to be quoted. */
  @TempDir private Path parent = Path.of("");

  private final long seed = System.nanoTime();

  @BeforeAll
  static void chooseMaster() {
    // As spark-submit does it.
    System.setProperty("spark.master", "local[1]");
    System.setProperty("spark.app.name", "test");
    System.setProperty("spark.ui.enabled", "false");
    System.setProperty("spark.driver.host", "127.0.0.1");
    System.setProperty("spark.driver.bindAddress", "127.0.0.1");
    if (!Boolean.getBoolean(ALL)) {
      // To compile each query takes half of the time.
      System.setProperty("spark.sql.codegen.wholeStage", "false");
      System.setProperty("spark.sql.codegen.factoryMode", "NO_CODEGEN");
    }
  }

  private static Labels labels(int i) {
    return new Labels(i % 3 == 0 ? "007" : "orders", "1.4." + i % 3, "h" + i % 2, false);
  }

  private Path archive(int i) throws IOException {
    GivenProcess process =
        new GivenProcess(100 + i, START_MS + i % 2 * DAY_MS + i * 7_000L, 90 + 13 * i, seed + i);
    return process.archive(
        Files.createDirectories(parent.resolve("runs " + i)).resolve("run.offcut"),
        process.seconds,
        i % 3 > 0,
        "com.acme.Orders" + i % 2);
  }

  private Fleet fleet(String name) throws Failure {
    return Fleet.openOrMake(parent.resolve(name).toString());
  }

  private static Set<String> files(Fleet fleet) throws IOException {
    try (Stream<Path> all = Files.walk(Path.of(fleet.place()))) {
      return new TreeSet<>(
          all.filter(Files::isRegularFile)
              .map(file -> Path.of(fleet.place()).relativize(file).toString())
              .toList());
    }
  }

  private static List<List<@Nullable Object>> all(Engine engine, FleetTable table) throws Failure {
    List<String> columns =
        new ArrayList<>(table.columns().stream().map(FleetTable.Column::name).toList());
    columns.remove("added_ms");
    columns.addAll(List.of("cast(date AS string) AS date", "service"));
    List<List<@Nullable Object>> rows =
        new ArrayList<>(
            engine.query("SELECT " + String.join(", ", columns) + " FROM " + table.title()).rows());
    rows.sort((one, other) -> one.toString().compareTo(other.toString()));
    return rows;
  }

  @Test
  void questions_onSpark_haveTheAnswersOfDuckDb() throws Exception {
    Fleet fleet = fleet("the team's [1]");
    for (int i = 0; i < 6; i++) {
      FleetAdd.add(Source.of(List.of(archive(i))), fleet, labels(i), sentence -> {});
    }
    // Of the first, a part that was kept while it ran.
    GivenProcess first = new GivenProcess(100, START_MS, 90, seed);
    Path early = first.archive(parent.resolve("early.offcut"), 40, false, "com.acme.Orders0");
    FleetAdd.add(Source.of(List.of(early)), fleet, labels(0), sentence -> {});
    addByHand(fleet);
    try (Engine duckDb = DuckDbEngine.open();
        Engine spark = new SparkCluster().open()) {
      Census.open(fleet, duckDb);
      Census.open(fleet, spark);
      for (FleetTable table : FleetTable.values()) {
        assertThat(all(spark, table))
            .as("%s, seed %d", table, seed)
            .isNotEmpty()
            .isEqualTo(all(duckDb, table));
      }
      FleetReport expected = FleetReport.of(duckDb, 50, SINCE);
      FleetReport report = FleetReport.of(spark, 50, SINCE);
      for (String section : FleetReport.SECTIONS) {
        assertThat(report.section(section))
            .as("%s, seed %d", section, seed)
            .isEqualTo(expected.section(section));
        assertThat(expected.section(section).rows()).as("%s, seed %d", section, seed).isNotEmpty();
      }
      assertThat(report.json()).isEqualTo(expected.json());
      assertThat(documented()).hasSize(6);
      for (String question : documented()) {
        Engine.Answer answer = duckDb.query(question);
        assertThat(spark.query(question)).as("%s, seed %d", question, seed).isEqualTo(answer);
        assertThat(answer.rows()).as("%s, seed %d", question, seed).isNotEmpty();
      }
      assertThat(FleetDiff.ofVersions(spark, "1.4.0", "1.4.1", 20).json())
          .isEqualTo(FleetDiff.ofVersions(duckDb, "1.4.0", "1.4.1", 20).json());
      assertThat(FleetDiff.ofDays(spark, "2026-09-21", "2026-09-22", 20).json())
          .isEqualTo(FleetDiff.ofDays(duckDb, "2026-09-21", "2026-09-22", 20).json());
      partsWithoutSources(fleet, duckDb, spark);
      noParts(spark);
      assertThatThrownBy(() -> spark.query("SELECT nothing FROM windows"))
          .isInstanceOf(Failure.class)
          .hasMessageStartingWith("Spark: [UNRESOLVED_COLUMN")
          .hasMessageNotContaining("\n");
    }
  }

  /** What archives do not have: parts of an account, and handles that were forgotten. */
  private static void addByHand(Fleet fleet) throws Failure {
    Rows.Process process =
        new Rows.Process(
            "source",
            "process",
            "orders",
            "h1",
            99,
            START_MS,
            START_MS + DAY_MS,
            "1.4.1",
            "Main",
            "Main",
            "25.0.3",
            "sample",
            128,
            true,
            "by itself",
            "run",
            "x.offcut",
            START_MS);
    List<Rows.Window> windows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      long bytes = i * 1000L;
      windows.add(
          new Rows.Window(
              START_MS / History.WINDOW_MS * History.WINDOW_MS + i * History.WINDOW_MS,
              History.WINDOW_MS,
              History.PART,
              "metaspace",
              0,
              0,
              0,
              0,
              0,
              0,
              0,
              null,
              bytes,
              bytes));
    }
    Rows.Stack stack = new Rows.Stack("stack", "Main.load(Main.java:7)", "Main.load(Main.java:7)");
    Rows.Site site =
        new Rows.Site(
            History.TYPE,
            "Buffer",
            stack.stack(),
            stack.line(),
            9,
            5,
            0,
            0,
            3,
            1,
            null,
            null,
            9,
            true,
            null,
            null,
            null,
            null);
    try (DuckDbWriter writer = DuckDbWriter.open()) {
      writer.write(new Rows(process, windows, List.of(site), List.of(stack), List.of()), fleet);
    }
  }

  /** Those of the user guide. */
  private static List<String> documented() throws IOException {
    return Pattern.compile("^ *```sql\\n(.*?)```", Pattern.DOTALL | Pattern.MULTILINE)
        .matcher(Files.readString(Path.of("..", "..", "..", "docs", "user", "fleet.md")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static void partsWithoutSources(Fleet fleet, Engine duckDb, Engine spark) throws Failure {
    List<Fleet.Held> files = fleet.files(FleetTable.WINDOWS);
    List<Engine.Part> parts = new ArrayList<>();
    for (Fleet.Held file : files) {
      // The file of a source has its name.
      parts.add(file.part(parts.isEmpty() ? Set.of(file.hash()) : Set.of("another")));
    }
    for (Engine engine : List.of(duckDb, spark)) {
      engine.open(FleetTable.WINDOWS, parts);
      assertThat(engine.query("SELECT DISTINCT source FROM windows").rows())
          .isNotEmpty()
          .doesNotContain(List.of(files.getFirst().hash()));
    }
    assertThat(all(spark, FleetTable.WINDOWS)).isEqualTo(all(duckDb, FleetTable.WINDOWS));
  }

  private static void noParts(Engine spark) throws Failure {
    for (FleetTable table : FleetTable.values()) {
      spark.open(table, List.of());
      assertThat(all(spark, table)).isEmpty();
    }
    assertThat(spark.query("SELECT file FROM processes").rows()).isEmpty();
  }

  @Test
  @EnabledIfSystemProperty(named = ALL, matches = "true")
  void add_onSpark_writesTheFilesOfDuckDb() throws Exception {
    List<Path> given = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      given.add(archive(i));
    }
    Path copies = Files.createDirectories(parent.resolve("copies"));
    given.add(Files.copy(given.getFirst(), copies.resolve("run.offcut")));
    Path damaged = parent.resolve("damaged.offcut");
    Files.write(damaged, new byte[] {'P', 'K', 3, 4, 0});
    given.add(damaged);
    List<String> skipped = new ArrayList<>();
    FleetAdd.Done done = FleetAdd.add(Source.of(given), fleet("duckdb"), labels(0), skipped::add);
    List<String> skippedOnSpark = new ArrayList<>();
    Fleet fleet = fleet("spark's");
    assertThat(new SparkCluster().add(Source.of(given), fleet, labels(0), skippedOnSpark::add))
        .isEqualTo(done)
        .isEqualTo(new FleetAdd.Done(3, 1, 1));
    assertThat(skippedOnSpark).isEqualTo(skipped).hasSize(1);
    assertThat(files(fleet)).isEqualTo(files(fleet("duckdb")));
    assertThat(new SparkCluster().add(Source.of(given), fleet, labels(0), sentence -> {}))
        .isEqualTo(new FleetAdd.Done(0, 4, 1));
    try (Engine one = DuckDbEngine.open();
        Engine other = DuckDbEngine.open()) {
      Census.open(fleet, one);
      Census.open(fleet("duckdb"), other);
      for (FleetTable table : FleetTable.values()) {
        assertThat(all(one, table)).as("%s, seed %d", table, seed).isEqualTo(all(other, table));
      }
    }
  }

  /** What is no query of the tables is refused before Spark runs anything of it. */
  @Test
  void ask_whatIsNoQueryOfTheFleet_isRefused() throws Exception {
    Path outside = Files.createDirectory(parent.resolve("outside"));
    Path secret = Files.writeString(outside.resolve("secret"), "hidden\n");
    Fleet fleet = fleet("asked");
    FleetAdd.add(Source.of(List.of(archive(0))), fleet, labels(0), sentence -> {});
    try (Engine spark = new SparkCluster().open()) {
      Census.open(fleet, spark);
      assertThat(
              spark.ask("WITH p AS (SELECT pid FROM processes) SELECT count(*) AS n FROM p").rows())
          .containsExactly(List.of(1L));
      for (String query :
          List.of(
              "SELECT pid FROM processes WHERE pid IN (SELECT pid FROM processes) ORDER BY pid LIMIT 1",
              "SELECT name, sum(opened) FROM windows GROUP BY name HAVING sum(opened) >= 0",
              "SELECT a.pid FROM processes a JOIN processes b ON a.pid = b.pid UNION SELECT 1",
              "SELECT pid, row_number() OVER (PARTITION BY host ORDER BY pid) FROM processes")) {
        assertThat(spark.ask(query).rows()).as(query).isNotEmpty();
      }
      for (String attack :
          List.of(
              "SELECT * FROM text.`" + secret + "`",
              "SELECT (SELECT max(value) FROM text.`" + secret + "`)",
              "WITH t AS (SELECT * FROM text.`" + secret + "`) SELECT * FROM t",
              "SELECT 1 WHERE EXISTS (SELECT * FROM text.`" + secret + "`)",
              "SELECT TRANSFORM(pid) USING 'touch " + outside.resolve("made") + "' FROM processes",
              "SELECT reflect('java.lang.System', 'getenv', 'PATH')",
              "SELECT java_method('java.lang.System', 'lineSeparator')",
              "SELECT upper(try_reflect('java.lang.System', 'lineSeparator'))",
              "INSERT OVERWRITE DIRECTORY '" + outside.resolve("made") + "' USING csv SELECT 1",
              "CREATE TABLE made USING csv LOCATION '" + outside.resolve("made") + "' AS SELECT 1",
              "CREATE TEMPORARY VIEW v USING text OPTIONS (path '" + secret + "')",
              "DROP VIEW processes",
              "SET spark.sql.runSQLOnFiles = true",
              "ADD JAR '" + secret + "'",
              "CACHE TABLE processes",
              "SHOW TABLES",
              "BEGIN SELECT 1; END")) {
        assertThatThrownBy(() -> spark.ask(attack))
            .as(attack)
            .isInstanceOf(Failure.class)
            .hasMessageContaining(Engine.ONE_QUERY);
      }
      assertThat(outside.toFile().list()).containsExactly("secret");
      assertThat(spark.query("SELECT count(*) FROM processes").rows()).containsExactly(List.of(1L));
    }
  }
}
