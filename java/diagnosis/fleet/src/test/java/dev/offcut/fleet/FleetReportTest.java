package dev.offcut.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.offcut.command.run.FleetWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What a fleet says: report, diff and page. */
class FleetReportTest extends GivenFleet {
  private static void hasSchema(String json, String schema) throws IOException {
    assertThat(
            JsonSchemaFactory.getInstance(VersionFlag.V202012)
                .getSchema(Files.readString(SPEC.resolve(schema)))
                .validate(json, InputFormat.JSON))
        .isEmpty();
  }

  @Test
  void report_json_isOfTheSchema() throws Exception {
    add(archives(processes(3)));
    String report = offcut("report", fleet(), "--json").out();
    hasSchema(report, "fleet-report.schema.json");
    refuses(offcut("report", fleet(), "--top", 0), 2, "--top 0 is no number of rows");
    assertThat(report).contains("com.acme.Orders.load(Orders.java:7)");
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
    refuses(offcut("report", fleet()), 5, "does not say that it is of the form offcut.fleet/1");
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
    Path last = files("processes").getFirst();
    byte[] content = Files.readAllBytes(last);
    Files.delete(last);
    List<GivenProcess> counting = counting(processes);
    assertThat(counting).hasSize(2);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(counting));
    Files.write(last, content);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
  }

  @Test
  void diff_versionsAndDays_saysWhatIsNew() throws Exception {
    GivenProcess old = new GivenProcess(7, START_MS, 60, seed);
    Path archive = old.archive(parent.resolve("old.offcut"), 60, true, "com.acme.Bills");
    Object[] words = {"add", "--to", fleet(), "--service", "orders", "--version", "1.4.1", archive};
    assertThat(offcut(words).exitCode()).isZero();
    add(archives(List.of(new GivenProcess(8, START_MS + 24 * 3600_000L, 60, seed))));
    Said versions = offcut("diff", fleet(), "--versions", "1.4.1,1.4.2");
    assertThat(versions.exitCode()).isZero();
    assertThat(versions.out().lines().filter(line -> line.contains("Orders.java:7")))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).startsWith("     new            0"));
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

  /** Replaces a file of a table by what a query makes of it. */
  private void rewrite(String table, String select) throws Exception {
    Path some = files(table).getFirst();
    Path other = parent.resolve("other.parquet");
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (SELECT * %s FROM '%s') TO '%s' (FORMAT parquet)"
              .formatted(select, some.toString().replace("'", "''"), other));
    }
    Files.move(other, some, StandardCopyOption.REPLACE_EXISTING);
  }

  /** A fleet of a version before some columns were added. */
  @Test
  void report_filesThatLackColumns_areRead() throws Exception {
    add(archives(processes(3)));
    rewrite("sites", "EXCLUDE (lost_margin, samples)");
    assertThat(offcut("report", fleet(), "--json").exitCode()).isZero();
    assertThat(sql("SELECT count(*) AS n, count(samples) AS m FROM sites"))
        .isEqualTo("[{\"n\":12,\"m\":8}]");
  }

  @Test
  void report_rowsOfANewerVersion_areRefused() throws Exception {
    add(archives(processes(2)));
    rewrite("processes", "REPLACE (2::BIGINT AS schema)");
    refuses(offcut("report", fleet()), 5, "is of the form offcut.fleet/2, this reads up to");
  }
}
