package dev.offcut.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.offcut.command.Main;
import dev.offcut.command.run.FleetWords;
import dev.offcut.fleet.duckdb.DuckDbEngine;
import dev.offcut.fleet.duckdb.DuckDbWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The words of {@code offcut fleet}, from files to sums. */
class FleetTest {
  private static final long START_MS = 1_790_000_003_456L;
  private static final Path SPEC = Path.of("..", "..", "..", "spec");

  /** A folder whose name has to be quoted. */
  @TempDir private Path parent = Path.of("");

  private final long seed = System.nanoTime();

  /** What a call of the command printed, and ended with. */
  private record Said(int exitCode, String out, String err) {}

  private static Said offcut(Object... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        Main.run(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Stream.concat(Stream.of("fleet"), Stream.of(words).map(String::valueOf))
                .toArray(String[]::new));
    return new Said(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private Path fleet() {
    return parent.resolve("the team's");
  }

  private Said add(Path... sources) {
    List<Object> words =
        new ArrayList<>(
            List.of(
                "add",
                "--to",
                fleet(),
                "--service",
                "orders",
                "--version",
                "1.4.2",
                "--host",
                "h1"));
    words.addAll(List.of(sources));
    return offcut(words.toArray());
  }

  private String sql(String query) {
    Said said = offcut("sql", fleet(), query, "--json");
    assertThat(said.err()).isEmpty();
    return said.out().strip();
  }

  private String sums() {
    return sql(
        "SELECT cast(sum(opened) AS bigint) AS opened, cast(sum(closed) AS bigint) AS closed,"
            + " cast(sum(collected) AS bigint) AS collected, cast(sum(lost) AS bigint) AS lost,"
            + " cast(sum(lost_bytes) AS bigint) AS lost_bytes FROM windows");
  }

  private static String sums(List<GivenProcess> processes) {
    long[] sums = new long[5];
    for (GivenProcess process : processes) {
      for (GivenProcess.Counts total : process.totals()) {
        sums[0] += total.opened();
        sums[1] += total.closed();
        sums[2] += total.collected();
        sums[3] += total.lost();
        sums[4] += total.lostBytes();
      }
    }
    return "[{\"opened\":%d,\"closed\":%d,\"collected\":%d,\"lost\":%d,\"lostBytes\":%d}]"
        .formatted(sums[0], sums[1], sums[2], sums[3], sums[4]);
  }

  private List<GivenProcess> processes(int count) {
    return Stream.iterate(0, i -> i + 1)
        .limit(count)
        .map(i -> new GivenProcess(100 + i, START_MS + i * 7_000L, 120 + 13 * i, seed + i))
        .toList();
  }

  private Path archive(GivenProcess process) throws IOException {
    return process.archive(
        parent.resolve("run-" + process.pid + ".offcut"), process.seconds, true, "com.acme.Orders");
  }

  private Path[] archives(List<GivenProcess> processes) throws IOException {
    List<Path> all = new ArrayList<>();
    for (GivenProcess process : processes) {
      all.add(archive(process));
    }
    return all.toArray(Path[]::new);
  }

  @Test
  void words_copiesOfAgents_areTakenInOnce() throws Exception {
    List<GivenProcess> processes = processes(3);
    Path incoming = fleet().resolve("incoming/service=orders/version=1.4.2/host=h1");
    Files.createDirectories(incoming);
    for (GivenProcess process : processes) {
      String name = process.pid + "-" + START_MS;
      tables(process, process.seconds / 2, incoming.resolve(name + "-9.tables"));
      tables(process, process.seconds, incoming.resolve(name + "-10.tables"));
    }
    Path damaged = Files.write(incoming.resolve("7-7-1.tables"), new byte[] {1, 2, 3});
    Path earlier = incoming.resolve("7-7-0.tables");
    tables(processes.get(0), 100, earlier);
    Path begun = Files.write(incoming.resolve(".8-8-1.tables"), new byte[] {1});
    Said said = offcut("sql", fleet(), "SELECT count(*) AS n FROM processes", "--json");
    assertThat(said.out()).isEqualTo("[{\"n\":3}]\n");
    assertThat(said.err())
        .contains("offcut: skipped: ")
        .endsWith("offcut: took in the figures of 3 processes from agents\n");
    try (Stream<Path> left = Files.list(incoming)) {
      assertThat(left).containsExactlyInAnyOrder(damaged, earlier, begun);
    }
    Files.delete(damaged);
    Files.delete(earlier);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));

    // A later copy replaces what was taken in before.
    GivenProcess later = new GivenProcess(processes.get(0).pid, START_MS, 500, seed);
    tables(later, 500, incoming.resolve(later.pid + "-" + START_MS + "-11.tables"));
    assertThat(offcut("compact", fleet()).err()).contains("took in the figures of 1 process");
    assertThat(sums())
        .as("seed %d", seed)
        .isEqualTo(sums(List.of(later, processes.get(1), processes.get(2))));
  }

  private static void tables(GivenProcess process, int seconds, Path file) throws IOException {
    Path archive = Files.createTempFile("given", ".offcut");
    process.archive(archive, seconds, true, "com.acme.Orders");
    try (ZipFile zip = new ZipFile(archive.toFile());
        InputStream in = zip.getInputStream(zip.getEntry("program.tables"))) {
      Files.copy(in, file);
    }
    Files.delete(archive);
  }

  @Test
  void add_archives_sumsAreThoseOfTheSources() throws Exception {
    List<GivenProcess> processes = processes(5);
    assertThat(add(archives(processes)))
        .isEqualTo(new Said(0, "", "offcut: added 5 sources to " + fleet() + "\n"));
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
  }

  @Test
  void add_twice_countsOnce() throws Exception {
    List<GivenProcess> processes = processes(3);
    Path[] archives = archives(processes);
    add(archives);
    List<Path> files = files();
    assertThat(add(archives).err())
        .isEqualTo("offcut: added 0 sources to " + fleet() + "; 3 were there already\n");
    assertThat(files()).isEqualTo(files);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(fleet())) {
      return all.sorted().toList();
    }
  }

  @Test
  void add_incrementsAndTheWhole_countsTheWhole() throws Exception {
    GivenProcess process = new GivenProcess(5, START_MS, 300, seed);
    for (int second : List.of(200, 100, 250)) {
      add(process.archive(parent.resolve(second + ".offcut"), second, false, "com.acme.Orders"));
    }
    add(archive(process));
    add(process.archive(parent.resolve("50.offcut"), 50, false, "com.acme.Orders"));
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(List.of(process)));
    assertThat(sql("SELECT ending, complete FROM processes"))
        .isEqualTo("[{\"ending\":\"by itself\",\"complete\":true}]");
  }

  @Test
  void add_arguments_stayOnTheMachine() throws Exception {
    add(archives(processes(1)));
    assertThat(sql("SELECT main, command FROM processes"))
        .isEqualTo("[{\"main\":\"com.acme.Orders\",\"command\":\"com.acme.Orders\"}]");
    for (Path file : files()) {
      if (Files.isRegularFile(file)) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .doesNotContain("secret", "/home/joe");
      }
    }
    offcut(
        "add",
        archives(processes(1))[0],
        "--to",
        parent.resolve("all"),
        "--service",
        "orders",
        "--version",
        "1",
        "--hash-hosts",
        "--host",
        "h1",
        "--with-arguments");
    Said all = offcut("sql", parent.resolve("all"), "SELECT command, host FROM processes");
    assertThat(all.out())
        .contains("com.acme.Orders --password secret /home/joe/data")
        .containsPattern("host-[0-9a-f]{12}");
  }

  @Test
  void add_damagedSources_areSkippedAndCounted() throws Exception {
    List<GivenProcess> processes = processes(2);
    Path damaged = parent.resolve("damaged.offcut");
    byte[] whole = Files.readAllBytes(archive(processes.getFirst()));
    Files.write(damaged, java.util.Arrays.copyOf(whole, whole.length / 2));
    Path empty = Files.createFile(parent.resolve("empty.jfr"));
    Path[] archives = archives(processes);
    Said said = add(damaged, archives[0], empty, archives[1]);
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.err())
        .contains("offcut: skipped: cannot read " + damaged)
        .contains("offcut: skipped: " + empty + " is empty")
        .contains("offcut: added 2 sources to " + fleet() + "; skipped 2\n");
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
  }

  @Test
  void add_anotherProgramOfTheSameProcess_isSkipped() throws Exception {
    GivenProcess process = new GivenProcess(1, START_MS, 60, seed);
    add(archive(process));
    Path other = process.archive(parent.resolve("o.offcut"), 30, true, "com.acme.Billing");
    Said said = add(other);
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.err())
        .contains("another program (com.acme.Orders) with the PID 1, on the host h1");
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(List.of(process)));
  }

  @Test
  void report_json_isOfTheSchema() throws Exception {
    add(archives(processes(3)));
    String report = offcut("report", fleet(), "--json").out();
    hasSchema(report, "fleet-report.schema.json");
    refuses(offcut("report", fleet(), "--top", 0), 2, "--top 0 is no number of rows");
    assertThat(report).contains("com.acme.Orders.load(Orders.java:7)");
  }

  private static void hasSchema(String json, String schema) throws IOException {
    assertThat(
            JsonSchemaFactory.getInstance(VersionFlag.V202012)
                .getSchema(Files.readString(SPEC.resolve(schema)))
                .validate(json, InputFormat.JSON))
        .isEmpty();
  }

  @Test
  void report_limits_standBeforeTheFigures() throws Exception {
    GivenProcess process = new GivenProcess(7, START_MS, 60, seed);
    add(process.archive(parent.resolve("killed.offcut"), 40, false, "com.acme.Orders"));
    String killed = "1 process of orders: The program was killed or halted.";
    assertThat(offcut("report", fleet()).out())
        .containsSubsequence("Limits of these figures:\n", killed, "Lines that lose most");
    assertThat(offcut("report", fleet(), "--json").out())
        .contains("{\"sentence\":\"The program was killed or halted.")
        .doesNotContain("\"severity\":\"LIMIT\"");
  }

  /** A side that did not look has not lost less. */
  @Test
  void diff_limits_areToldOfBothSides() throws Exception {
    long dayMs = 24 * 3600_000L;
    GivenProcess killed = new GivenProcess(7, START_MS, 60, seed);
    add(killed.archive(parent.resolve("killed.offcut"), 40, false, "com.acme.Orders"));
    add(archives(List.of(new GivenProcess(8, START_MS + dayMs, 60, seed))));
    String from = Instant.ofEpochMilli(START_MS).toString().substring(0, 10);
    String to = Instant.ofEpochMilli(START_MS + dayMs).toString().substring(0, 10);
    assertThat(offcut("diff", fleet(), "--from", from, "--to", to).out())
        .containsSubsequence(
            "Limits of these figures, by processes before and after:\n",
            "  1 and 0 of orders: The program was killed or halted.",
            "Kinds that lose");
    String json = offcut("diff", fleet(), "--from", from, "--to", to, "--json").out();
    hasSchema(json, "fleet-diff.schema.json");
    assertThat(json)
        .contains(
            "\"processesBefore\":1,\"processesAfter\":0,\"services\":1,\"service\":\"orders\"");
  }

  @Test
  void report_page_linksToThePagesThatAreThere() throws Exception {
    add(archives(processes(2)));
    Path pages = Files.createDirectory(parent.resolve("pages of: runs"));
    Files.createFile(pages.resolve("run-101.html"));
    Path page = parent.resolve("fleet.html");
    Said said = offcut("report", fleet(), "-o", page, "--pages", pages);
    assertThat(said).isEqualTo(new Said(0, "", "offcut: wrote " + page + "\n"));
    assertThat(Files.readString(page))
        .contains("\"page\":\"./pages%20of:%20runs/run-101.html\"")
        .contains("\"page\":null")
        .contains("com.acme.Orders.load(Orders.java:7)");
    refuses(offcut("report", fleet(), "-o", page), 1, "exists already; -f overwrites it");
    refuses(offcut("report", fleet(), "-o", page, "-f", "--pages", page), 2, "is no folder");
  }

  @Test
  void report_text_namesTheLine() throws Exception {
    List<GivenProcess> processes = processes(3);
    add(archives(processes));
    Said said = offcut("report", fleet());
    assertThat(said.exitCode()).isZero();
    assertThat(said.out())
        .startsWith("3 processes of 1 service on 1 host, from 2026-09-21")
        .containsPattern("lost +collected +forgotten +held +JVMs")
        .contains("com.acme.Orders.load(Orders.java:7)");
  }

  @Test
  void report_emptyFleet_saysSo() throws Exception {
    Files.createDirectories(fleet());
    Files.writeString(fleet().resolve("fleet.json"), "{\"schema\":\"offcut.fleet/1\"}");
    assertThat(offcut("report", fleet()).out())
        .isEqualTo("The fleet has no processes yet; `offcut fleet add` adds some.\n");
  }

  private static void refuses(Said said, int exitCode, String sentence) {
    assertThat(said.exitCode()).isEqualTo(exitCode);
    assertThat(said.out()).isEmpty();
    assertThat(said.err().lines()).hasSize(1);
    assertThat(said.err()).contains(sentence);
  }

  @Test
  void report_noFleet_saysWhatToDo() throws Exception {
    refuses(offcut("report", fleet()), 5, "there is no folder " + fleet());
    Files.createDirectory(fleet());
    refuses(offcut("report", fleet()), 5, "is no fleet: it has no fleet.json");
    refuses(offcut("sql", Files.createFile(parent.resolve("f")), "SELECT 1"), 5, "is a file");
  }

  @Test
  void report_fleetOfANewerVersion_isRefused() throws Exception {
    Files.createDirectories(fleet());
    Files.writeString(fleet().resolve("fleet.json"), "{\"schema\":\"offcut.fleet/2\"}");
    refuses(
        offcut("report", fleet()),
        5,
        "is of the form offcut.fleet/2, this reads up to offcut.fleet/1");
    Files.writeString(fleet().resolve("fleet.json"), "{");
    refuses(offcut("report", fleet()), 5, "is no JSON that this version knows");
  }

  @Test
  void add_badArguments_sayWhatToDo() throws Exception {
    Path archive = archives(processes(1))[0];
    refuses(
        offcut("add", archive, "--to", fleet(), "--service", "a/b", "--version", "1"),
        2,
        "--service a/b has other characters");
    refuses(add(parent.resolve("none.offcut")), 5, "there is no " + parent.resolve("none.offcut"));
    refuses(add(Files.createDirectory(parent.resolve("nothing"))), 5, "no file of a run");
    Files.createDirectories(parent.resolve("other"));
    Files.createFile(parent.resolve("other").resolve("x"));
    refuses(
        offcut("add", archive, "--to", parent.resolve("other"), "--service", "a", "--version", "1"),
        1,
        "is no fleet, and not empty");
  }

  /** Does something in the fleet's folder on a small disk of its own, if this machine lets us. */
  private void onSmallDisk(Work work) throws Exception {
    Files.createDirectory(fleet());
    assumeTrue(
        runs("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", fleet().toString()),
        "no right to mount a file system");
    try {
      work.run();
    } finally {
      runs("umount", fleet().toString());
    }
  }

  /** What may fail. */
  private interface Work {
    void run() throws Exception;
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  /** Leaves so many bytes of the disk. */
  private static void fill(Path file, int free) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer block = ByteBuffer.allocate(4096);
      try {
        while (true) {
          channel.write(block.clear());
        }
      } catch (IOException e) {
        // It is full.
      }
      channel.truncate(Math.max(0, channel.size() - free));
    }
  }

  @Test
  void add_fullDisk_isOneSentenceAndNothingIsLost() throws Exception {
    List<GivenProcess> processes = processes(4);
    Path[] archives = archives(processes);
    onSmallDisk(
        () -> {
          add(archives[0], archives[1]);
          String before = sums();
          Path filler = fleet().resolve(".filler");
          int free = 0;
          while (true) {
            fill(filler, free);
            Said said = add(archives[2]);
            Files.delete(filler);
            if (said.exitCode() == 0) {
              break;
            }
            refuses(said, 1, "cannot write " + fleet() + ": the disk is full; what was there");
            assertThat(files()).noneMatch(file -> file.toString().contains(".unfinished"));
            assertThat(sums()).as("seed %d, %d free", seed, free).isEqualTo(before);
            free += 8192;
          }
          assertThat(free).as("seed %d", seed).isBetween(8192, 262_144);
          assertThat(add(archives).err()).contains("added 1 source", "3 were there already");
          assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
        });
  }

  @Test
  void add_fullDisk_makesNoHalfAFleet() throws Exception {
    Path archive = archive(processes(1).getFirst());
    onSmallDisk(
        () -> {
          fill(fleet().resolve(".unfinished-filler"), 0);
          refuses(add(archive), 1, "the disk is full");
          assertThat(fleet().resolve("fleet.json")).doesNotExist();
          Files.delete(fleet().resolve(".unfinished-filler"));
          assertThat(add(archive).exitCode()).isZero();
        });
  }

  @Test
  void add_readOnlyDisk_isOneSentenceAndNothingIsLost() throws Exception {
    onSmallDisk(
        () ->
            refusesWhile(
                () -> assertThat(runs("mount", "-o", "remount,ro", fleet().toString())).isTrue(),
                "the file system is read-only",
                () -> assertThat(runs("mount", "-o", "remount,rw", fleet().toString())).isTrue()));
  }

  @Test
  void add_noPermission_isOneSentenceAndNothingIsLost() throws Exception {
    Files.createDirectory(fleet());
    refusesWhile(
        () -> {
          Files.setPosixFilePermissions(fleet(), PosixFilePermissions.fromString("r-xr-xr-x"));
          assumeFalse(Files.isWritable(fleet()), "root may write there all the same");
        },
        "permission denied",
        () -> Files.setPosixFilePermissions(fleet(), PosixFilePermissions.fromString("rwxr-xr-x")));
  }

  /** Between the two, words that write fail with a sentence, and others answer. */
  private void refusesWhile(Work begin, String reason, Work end) throws Exception {
    List<GivenProcess> processes = processes(3);
    Path[] archives = archives(processes);
    add(archives[0], archives[1]);
    begin.run();
    refuses(add(archives[2]), 1, "cannot write " + fleet() + ": " + reason);
    refuses(offcut("compact", fleet()), 1, ": " + reason);
    assertThat(sums()).isEqualTo(sums(processes.subList(0, 2)));
    end.run();
    assertThat(add(archives[2]).exitCode()).isZero();
    assertThat(sums()).isEqualTo(sums(processes));
  }

  @Test
  void sql_wrongQuery_isOneSentence() throws Exception {
    add(archives(processes(1)));
    refuses(offcut("sql", fleet(), "SELECT nothing FROM windows"), 1, "DuckDB: Binder Error");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COPY processes TO '%s/stolen.csv'",
        "COPY (SELECT 1) TO '%s/stolen.csv'",
        "SELECT 1; COPY processes TO '%s/stolen.csv'",
        "SELECT * FROM read_csv('%s/secret')",
        "SELECT * FROM read_text('%s/secret')",
        "SELECT * FROM read_blob('%s/secret')",
        "SELECT * FROM glob('%s/*')",
        "SELECT * FROM sniff_csv('%s/secret')",
        "SELECT * FROM query('SELECT * FROM read_text(''%s/secret'')')",
        "FROM '%s/secret.csv'",
        "ATTACH '%s/stolen.db'",
        "EXPORT DATABASE '%s/stolen'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "PRAGMA enable_profiling",
        "PRAGMA database_list",
        "CALL enable_logging()",
        "CREATE TABLE mine AS SELECT 1",
        "DROP VIEW processes",
        "DELETE FROM processes",
        "EXPLAIN ANALYZE SELECT 1",
        "SELECT 1; SELECT 2",
        ";"
      })
  void sql_whatIsNoQueryOfTheFleet_isRefused(String attack) throws Exception {
    add(archives(processes(1)));
    Path outside = Files.createDirectory(parent.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "hidden\nhidden\n");
    Files.writeString(outside.resolve("secret.csv"), "hidden\nhidden\n");
    Said said = offcut("sql", fleet(), attack.replace("%s", outside.toString()));
    refuses(said, 1, "");
    assertThat(said.err()).doesNotContain("hidden");
    assertThat(outside.toFile().list()).containsExactlyInAnyOrder("secret", "secret.csv");
    assertThat(sql("SELECT count(*) AS n FROM processes")).isEqualTo("[{\"n\":1}]");
  }

  @Test
  void sql_allFormsOfQueries_areAnswered() throws Exception {
    add(archives(processes(1)));
    for (String query :
        List.of(
            "FROM processes",
            "DESCRIBE processes",
            "SUMMARIZE processes",
            "SHOW TABLES",
            "WITH p AS (SELECT pid FROM processes) SELECT * FROM p;",
            "SELECT 'it''s -- COPY' AS text")) {
      assertThat(offcut("sql", fleet(), query).exitCode()).as(query).isZero();
    }
  }

  private List<Path> files(String table) throws IOException {
    try (Stream<Path> all = Files.walk(fleet().resolve(table))) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"processes", "windows", "sites", "stacks", "findings"})
  void words_damagedFile_leaveOutItsSourcesAndNameIt(String table) throws Exception {
    List<GivenProcess> processes = processes(3);
    Path[] archives = archives(processes);
    add(archives);
    assertThat(offcut("check", fleet()).exitCode()).isZero();
    Path damaged = files(table).getFirst();
    byte[] bytes = Files.readAllBytes(damaged);
    Arrays.fill(bytes, 4, bytes.length, (byte) 0x5a);
    Files.write(damaged, bytes);
    String name = fleet().relativize(damaged).toString();
    Said said = offcut("sql", fleet(), "SELECT DISTINCT source FROM " + table);
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.err()).contains(name + " is damaged").contains("add its sources again");
    assertThat(said.out()).doesNotContain(name.replaceAll(".*/(.*)\\.parquet", "$1"));
    said = offcut("report", fleet(), "--json");
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.out()).contains("\"processes\":2");
    said = offcut("check", fleet());
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.err()).contains(name + " is damaged");
    Files.delete(damaged);
    if (!table.equals("processes")) {
      assertThat(offcut("check", fleet()).err()).contains("lacks 1 of its");
    }
    add(archives);
    assertThat(offcut("check", fleet()).exitCode()).isZero();
    assertThat(sums()).isEqualTo(sums(processes));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void words_missingFile_leaveOutItsSourcesAndSaySo(boolean compacted) throws Exception {
    List<GivenProcess> processes = processes(3);
    add(archives(processes));
    if (compacted) {
      assertThat(offcut("compact", fleet()).exitCode()).isZero();
      assertThat(offcut("check", fleet()).exitCode()).isZero();
    }
    Path missing = files("windows").getFirst();
    Files.delete(missing);
    Said said = offcut("sql", fleet(), "SELECT count(*) AS n FROM processes", "--json");
    assertThat(said.out()).isEqualTo("[{\"n\":" + (compacted ? 0 : 2) + "}]\n");
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.err()).contains(missing.getFileName() + " lacks 1 of its ");
  }

  @Test
  void check_missingFileOfProcesses_isNamed() throws Exception {
    add(archives(processes(2)));
    Files.delete(files("processes").getFirst());
    Said said = offcut("check", fleet());
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.err()).contains("does not count: processes has no file of this name");
  }

  @Test
  void help_hasAllOptions() {
    Said help = offcut("--help");
    assertThat(help.exitCode()).isZero();
    FleetWords words = ServiceLoader.load(FleetWords.class).findFirst().orElseThrow();
    CommandLine.Model.CommandSpec spec = words.command(System.out, System.err);
    spec.subcommands()
        .forEach(
            (name, word) -> {
              assertThat(help.out()).contains("fleet " + name);
              word.getCommandSpec()
                  .options()
                  .forEach(
                      option ->
                          assertThat(help.out())
                              .contains(Objects.requireNonNull(option.longestName())));
            });
  }

  @Test
  void spec_hasTheColumnsOfTheTables() throws Exception {
    String spec = Files.readString(SPEC.resolve("fleet.md"));
    for (FleetTable table : FleetTable.values()) {
      String section = spec.substring(spec.indexOf("### " + table.title()));
      int next = section.indexOf("\n##", 4);
      String own = next < 0 ? section : section.substring(0, next);
      table.columns().forEach(column -> assertThat(own).contains("`" + column.name() + "`"));
    }
  }

  /** What an abandoned or slow writer leaves: files without those of {@code processes}. */
  @Test
  void report_sourceWithoutItsLastFile_doesNotCount() throws Exception {
    List<GivenProcess> processes = processes(3);
    add(archives(processes));
    Path last;
    try (Stream<Path> files = Files.walk(fleet().resolve("processes"))) {
      last = files.filter(Files::isRegularFile).sorted().findFirst().orElseThrow();
    }
    byte[] content = Files.readAllBytes(last);
    Files.delete(last);
    String pids = sql("SELECT pid FROM processes ORDER BY pid");
    List<GivenProcess> counting =
        processes.stream().filter(process -> pids.contains(":" + process.pid + "}")).toList();
    assertThat(counting).hasSize(2);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(counting));
    Files.write(last, content);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
  }

  @Test
  void compact_manyFiles_areFewAndSayTheSame() throws Exception {
    List<GivenProcess> processes = processes(5);
    Path[] archives = archives(processes);
    add(archives);
    Path part =
        processes.get(2).archive(parent.resolve("part.offcut"), 60, false, "com.acme.Orders");
    add(part);
    String report = offcut("report", fleet(), "--json").out();
    assertThat(offcut("compact", fleet()).err()).contains(" before, 5 files with ");
    assertThat(files().stream().filter(Files::isRegularFile)).hasSize(6); // with fleet.json
    assertThat(offcut("report", fleet(), "--json").out()).isEqualTo(report);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
    List<Path> files = files();
    assertThat(offcut("compact", fleet()).exitCode()).isZero();
    assertThat(files()).isEqualTo(files);
    assertThat(add(archives).err()).contains("added 0 sources").contains("5 were there already");
    add(part);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
    GivenProcess more = new GivenProcess(999, START_MS, 77, seed);
    add(archive(more));
    offcut("compact", fleet());
    List<GivenProcess> all = new ArrayList<>(processes);
    all.add(more);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(all));
    assertThat(files().stream().filter(Files::isRegularFile)).hasSize(6);
  }

  /** It was killed behind its last file, before it deleted anything. */
  @Test
  void compact_endedBeforeItDeleted_countsOnce() throws Exception {
    List<GivenProcess> processes = processes(4);
    add(archives(processes));
    Path kept = parent.resolve("kept");
    copy(fleet(), kept);
    offcut("compact", fleet());
    copy(kept, fleet());
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
    assertThat(sql("SELECT count(*) AS n FROM sites")).isEqualTo("[{\"n\":16}]");
    offcut("compact", fleet());
    assertThat(files().stream().filter(Files::isRegularFile)).hasSize(6);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.sorted().toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (!Files.exists(target)) {
          Files.copy(file, target);
        }
      }
    }
  }

  @Test
  void drop_oldProcesses_areGoneAndTheOthersAreWhole() throws Exception {
    long today = System.currentTimeMillis() / 1000 * 1000;
    long dayMs = 24 * 3600_000L;
    List<GivenProcess> processes = new ArrayList<>();
    for (int days : List.of(1, 5, 40, 100)) {
      processes.add(new GivenProcess(days, today - days * dayMs, 100, seed + days));
    }
    add(archives(processes));
    offcut("compact", fleet());
    assertThat(offcut("drop", fleet(), "--older-than", "30d").err())
        .startsWith("offcut: dropped 2 processes; 20 files with ")
        .contains(" before, 10 files with ");
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes.subList(0, 2)));
    assertThat(offcut("drop", fleet(), "--older-than", "1w").exitCode()).isEqualTo(2);
  }

  /** In one file are processes of which some are old. */
  @Test
  void drop_aPartOfAFile_keepsTheRest() throws Exception {
    long nowMs = System.currentTimeMillis();
    long midnight = nowMs / (24 * 3600_000L) * 24 * 3600_000L - 10 * 24 * 3600_000L;
    GivenProcess early = new GivenProcess(1, midnight + 1000, 60, seed);
    GivenProcess late = new GivenProcess(2, midnight + 24 * 3600_000L - 60_000, 600, seed + 1);
    add(archives(List.of(early, late)));
    offcut("compact", fleet());
    long days = (nowMs - early.untilMs()) / (24 * 3600_000L);
    assertThat(offcut("drop", fleet(), "--older-than", days + "d").err())
        .startsWith("offcut: dropped 1 process;");
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(List.of(late)));
  }

  @Test
  void diff_versionsAndDays_saysWhatIsNew() throws Exception {
    assertThat(offcut("demo", "--to", fleet(), "--jvms", 4, "--hours", 1).exitCode()).isZero();
    Said versions = offcut("diff", fleet(), "--versions", "1.4.1,1.4.2");
    assertThat(versions.exitCode()).isZero();
    assertThat(versions.out().lines().filter(line -> line.contains("Orders.java:40")))
        .singleElement()
        .asString()
        .startsWith("     new            0");
    String days =
        sql("SELECT cast(date AS varchar) AS day FROM processes GROUP BY date ORDER BY date");
    String[] parts = days.split("\"", -1);
    Said dates = offcut("diff", fleet(), "--from", parts[3], "--to", parts[7], "--json");
    hasSchema(dates.out(), "fleet-diff.schema.json");
    assertThat(dates.out())
        .startsWith("{\"schema\":\"offcut.fleet-diff/1\"")
        .contains("\"change\":\"new\",\"service\":\"orders\"");
    assertThat(offcut("report", fleet()).out()).contains("New since " + parts[7]);
    refuses(offcut("diff", fleet(), "--versions", "1.4.1,9"), 1, "no processes of the version 9");
    refuses(
        offcut("diff", fleet(), "--versions", "1.4.1,1.4.2", "--top", 0),
        2,
        "--top 0 is no number of rows");
    refuses(offcut("diff", fleet()), 2, "diff needs --from DATE and --to DATE, or --versions A,B");
  }

  /** A fleet of a version before some columns were added. */
  @Test
  void report_filesThatLackColumns_areRead() throws Exception {
    List<GivenProcess> processes = processes(3);
    add(archives(processes));
    Path some;
    try (Stream<Path> files = Files.walk(fleet().resolve("sites"))) {
      some = files.filter(Files::isRegularFile).sorted().findFirst().orElseThrow();
    }
    Path old = parent.resolve("old.parquet");
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (SELECT * EXCLUDE (lost_margin, samples) FROM '"
              + some.toString().replace("'", "''")
              + "') TO '"
              + old
              + "' (FORMAT parquet)");
    }
    Files.move(old, some, StandardCopyOption.REPLACE_EXISTING);
    assertThat(offcut("report", fleet(), "--json").exitCode()).isZero();
    assertThat(sql("SELECT count(*) AS n, count(samples) AS m FROM sites"))
        .isEqualTo("[{\"n\":12,\"m\":8}]");
  }

  @Test
  void report_rowsOfANewerVersion_areRefused() throws Exception {
    add(archives(processes(2)));
    Path some;
    try (Stream<Path> files = Files.walk(fleet().resolve("processes"))) {
      some = files.filter(Files::isRegularFile).sorted().findFirst().orElseThrow();
    }
    Path newer = parent.resolve("newer.parquet");
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (SELECT * REPLACE (2::BIGINT AS schema) FROM '"
              + some.toString().replace("'", "''")
              + "') TO '"
              + newer
              + "' (FORMAT parquet)");
    }
    Files.move(newer, some, StandardCopyOption.REPLACE_EXISTING);
    refuses(offcut("report", fleet()), 5, "is of the form offcut.fleet/2, this reads up to");
  }

  @Test
  void demo_ofMoreHoursThanAMonthHas_isRefused() throws Exception {
    refuses(
        offcut("demo", "--to", fleet(), "--jvms", 1, "--hours", Integer.MAX_VALUE),
        2,
        "--hours one of 1 to 744");
  }

  @Test
  void sql_questionsOfTheGuide_areAnswered() throws Exception {
    offcut("demo", "--to", fleet(), "--jvms", 4, "--hours", 1);
    Pattern question = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL);
    Matcher all = question.matcher(Files.readString(SPEC.resolve("../docs/user/fleet.md")));
    int count = 0;
    try (DuckDbEngine engine = DuckDbEngine.open()) {
      Census.open(Fleet.open(fleet().toString()), engine);
      while (all.find()) {
        count++;
        Engine.Answer answer = engine.query(all.group(1));
        assertThat(answer.columns()).as(all.group(1)).isNotEmpty();
        // Nothing in the demo was forgotten, or killed, or has findings.
        boolean isEmpty = List.of(4, 8, 9).contains(count);
        assertThat(answer.rows().isEmpty()).as(all.group(1)).isEqualTo(isEmpty);
      }
    }
    assertThat(count).isEqualTo(10);
  }

  /** Flight Recorder notes another start than the agent's tables. */
  @Test
  void add_archiveAndRecording_countOnce() throws Exception {
    GivenProcess process = new GivenProcess(7, START_MS, 90, seed);
    Path archive = archive(process);
    add(archive);
    Labels labels = new Labels("orders", "1.4.2", "h1", false);
    Source source = Source.of(List.of(archive)).getFirst();
    Rows rows = SourceReader.read(source, labels, "0123456789abcdef", 0);
    try (DuckDbWriter writer = DuckDbWriter.open()) {
      writer.write(recorded(rows, "a", START_MS + 380), Fleet.open(fleet().toString()));
      assertThat(sums()).as("seed %d", seed).isEqualTo(sums(List.of(process)));
      assertThat(sql("SELECT origin FROM processes")).isEqualTo("[{\"origin\":\"run\"}]");
      // A process that had the same PID later.
      writer.write(recorded(rows, "b", START_MS + 200_000), Fleet.open(fleet().toString()));
    }
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(List.of(process, process)));
    offcut("compact", fleet());
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(List.of(process, process)));
  }

  private static Rows recorded(Rows rows, String name, long startMs) {
    Rows.Process p = rows.process();
    return new Rows(
        new Rows.Process(
            name,
            name,
            p.service(),
            p.host(),
            p.pid(),
            startMs,
            p.untilMs() - 1000,
            p.version(),
            p.main(),
            p.command(),
            p.jdk(),
            p.level(),
            p.sampleEvery(),
            false,
            "killed",
            "recording",
            p.name(),
            0),
        rows.windows(),
        rows.sites(),
        rows.stacks(),
        rows.findings());
  }
}
