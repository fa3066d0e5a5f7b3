package dev.offcut.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.fleet.duckdb.DuckDbEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Which queries of a fleet are answered. */
class FleetSqlTest extends GivenFleet {
  /** What could read or write files, change settings, or run more than one query. */
  private static final List<String> ATTACKS =
      List.of(
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
          ";");

  @Test
  void sql_wrongQuery_isOneSentence() throws Exception {
    add(archives(processes(1)));
    refuses(offcut("sql", fleet(), "SELECT nothing FROM windows"), 1, "DuckDB: Binder Error");
  }

  @Test
  void sql_whatIsNoQueryOfTheFleet_isRefused() throws Exception {
    add(archives(processes(1)));
    Path outside = Files.createDirectory(parent.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "hidden\nhidden\n");
    Files.writeString(outside.resolve("secret.csv"), "hidden\nhidden\n");
    for (String attack : ATTACKS) {
      Said said = offcut("sql", fleet(), attack.replace("%s", outside.toString()));
      assertThat(said.exitCode()).as(attack).isEqualTo(1);
      refuses(said, 1, "");
      assertThat(said.err()).as(attack).doesNotContain("hidden");
      assertThat(outside.toFile().list())
          .as(attack)
          .containsExactlyInAnyOrder("secret", "secret.csv");
    }
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

  @Test
  void sql_questionsOfTheGuide_areAnswered() throws Exception {
    add(archives(processes(3)));
    Pattern question = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL);
    Matcher all = question.matcher(Files.readString(SPEC.resolve("../docs/user/fleet.md")));
    int count = 0;
    try (DuckDbEngine engine = DuckDbEngine.open()) {
      Census.open(Fleet.open(fleet().toString()), engine);
      while (all.find()) {
        count++;
        Engine.Answer answer = engine.query(all.group(1));
        assertThat(answer.columns()).as(all.group(1)).isNotEmpty();
        boolean isOfTheKilled = all.group(1).contains("NOT complete"); // all ended by themselves
        assertThat(answer.rows().isEmpty()).as(all.group(1)).isEqualTo(isOfTheKilled);
      }
    }
    assertThat(count).isEqualTo(6);
  }
}
