package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program in this JVM: what it prints, returns and leaves behind. */
final class RunTest {
  private record Result(int code, String out, String err) {}

  private final Path directory;

  RunTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void run_small_printsATableAndNothingOnStderr() {
    Result result = run("--rows", "500", "--queries", "2000");
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    assertThat(singleSpaced(result.out()))
        .contains(" rows imported 500 in ", " statements run 2,000 in ")
        .contains(" answers wrong 0 checksum ", " open in SQLite 0\n")
        .doesNotContain("interrupted");
  }

  @Test
  void run_withForget_reclaimsExactlyThat() {
    String json = run("--rows", "500", "--queries", "4000", "--forget", "5%", "--json").out();
    assertThat(json(json, "$.statements.dropped")).isEqualTo("200");
    assertThat(json(json, "$.statements.forgotten")).isEqualTo("200");
    assertThat(json(json, "$.statements.open_in_sqlite")).isEqualTo("0");
    assertThat(json(json, "$.statements.drained")).isEqualTo("1");
    assertThat(json(json, "$.forget")).isEqualTo("0.05");
  }

  @Test
  void run_json_isOneObjectWithTheSchema() {
    String text = run("--rows", "100", "--queries", "50", "--json").out();
    assertThat(text).endsWith("}\n").doesNotContain("\n{");
    assertThat(json(text, "$.schema")).isEqualTo("offcut.run/1");
    assertThat(json(text, "$.import.rows")).isEqualTo("100");
    assertThat(json(text, "$.queries.run")).isEqualTo("50");
    assertThat(json(text, "$.queries.wrong")).isEqualTo("0");
    assertThat(json(text, "$.database")).isEqualTo(":memory:");
    assertThat(json(text, "$.interrupted")).isEqualTo("0");
  }

  @Test
  void run_sameSeed_sameChecksumWhateverTheThreads() {
    String one = run("--rows", "300", "--queries", "3000", "--json", "--seed", "7").out();
    String three =
        run("--rows", "300", "--queries", "3000", "--json", "--seed", "7", "--threads", "3").out();
    String other = run("--rows", "300", "--queries", "3000", "--json", "--seed", "8").out();
    String checksum = json(one, "$.queries.checksum");
    assertThat(json(three, "$.queries.checksum")).isEqualTo(checksum);
    assertThat(json(other, "$.queries.checksum")).isNotEqualTo(checksum);
  }

  @Test
  void run_csv_asksWhatIsInIt() throws IOException {
    Path csv = directory.resolve("people.csv");
    String rows = "Zoë,\"a \"\"b\"\", c\",1\n東京,,\"two\nlines\"\nZoë,🎁,3\n";
    Files.writeString(csv, "name,\"select\",record\n" + rows.repeat(50));
    Path file = directory.resolve("people.db");
    Result result = run("--csv", csv.toString(), "--queries", "1000", "--db", file.toString());
    assertThat(result.err()).isEmpty();
    assertThat(singleSpaced(result.out()))
        .contains(" rows imported 150 in ", " answers wrong 0 checksum ");
    try (Database database = Database.open(file);
        Statement statement =
            database.prepare("SELECT count(*), record FROM records WHERE name = ?");
        Rows found = statement.bind(1, "東京").query()) {
      assertThat(found.next()).isTrue();
      assertThat(found.getLong(0)).isEqualTo(50);
      assertThat(found.text(1)).isEqualTo("two\nlines");
    }
  }

  @Test
  void run_interrupted_reportsWhatWasDone() {
    Interrupt interrupt = new Interrupt();
    interrupt.request();
    Path file = directory.resolve("new.db");
    Result result = run(interrupt, "--rows", "500", "--db", file.toString());
    assertThat(result.code()).isEqualTo(130);
    assertThat(result.out()).contains("interrupted").contains("rolled back");
    assertThat(file).doesNotExist();
  }

  @Test
  void run_badCsv_leavesNoFile() throws IOException {
    Path csv = directory.resolve("bad.csv");
    Files.writeString(csv, "a,b\n" + "1,2\n".repeat(40_000) + "3\n");
    Path file = directory.resolve("new.db");
    Result result = run("--csv", csv.toString(), "--db", file.toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("offcut: " + csv + ":40002: has 1 field, the header 2\n");
    assertThat(result.out()).isEmpty();
    assertThat(directory).isDirectoryContaining(csv::equals).isDirectoryNotContaining(file::equals);
    assertThat(directory.toFile().list()).containsExactly("bad.csv");
  }

  @Test
  void run_badCsv_leavesAnExistingDatabaseAsItWas() throws IOException {
    Path file = directory.resolve("old.db");
    try (Database database = Database.open(file)) {
      database.execute("CREATE TABLE mine AS SELECT 1 AS a");
    }
    byte[] before = Files.readAllBytes(file);
    Path csv = directory.resolve("bad.csv");
    // More than the page cache, so that pages were written before the error.
    Files.writeString(csv, "a,b\n" + ("x".repeat(1_000) + ",2\n").repeat(8_000) + "3\n");
    assertThat(run("--csv", csv.toString(), "--db", file.toString()).code()).isEqualTo(1);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    assertThat(directory.toFile().list()).containsExactlyInAnyOrder("bad.csv", "old.db");
  }

  @Test
  void run_tableIsThere_saysWhatToDo() {
    String file = directory.resolve("twice.db").toString();
    assertThat(run("--rows", "10", "--queries", "10", "--db", file).code()).isZero();
    Result result = run("--rows", "10", "--queries", "10", "--db", file);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .isEqualTo(
            "offcut: " + file + ": there is a table records already; name another with --table\n");
    assertThat(run("--rows", "10", "--db", file, "--queries", "10", "--table", "or der\"").code())
        .isZero();
  }

  @Test
  void run_filesThatCannotBe_oneLineEach() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "a text, and no database at all");
    assertFails(": no such file or directory", "--csv", directory.resolve("none").toString());
    assertFails(": is a directory, not a CSV file", "--csv", directory.toString());
    assertFails(": is a directory, not a database", "--db", directory.toString());
    assertFails(": no such file or directory", "--db", directory.resolve("no/x.db").toString());
    assertFails(": Not a directory", "--db", text.resolve("x.db").toString());
    assertFails(": file is not a database (SQLite code 26)", "--db", text.toString());
    assertThat(text).hasContent("a text, and no database at all");
    Path header = Files.writeString(directory.resolve("header.csv"), "a,b\n");
    assertFails(": has a header line, but no records", "--csv", header.toString());
  }

  private void assertFails(String problem, String option, String file) {
    Result result = run("--queries", "10", option, file);
    assertThat(result.err()).isEqualTo("offcut: " + file + problem + "\n");
    assertThat(result.code()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "--rows ten         | Invalid value for option '--rows': 'ten' is not an int",
        "--rows 0           | --rows must be at least 1",
        "--rows 5 --csv x   | --rows is for generated rows; leave it out with --csv",
        "--queries -1       | --queries must not be negative",
        "--threads 0        | --threads must be 1 to 1000",
        "--forget 7         | '7' is not a share",
        "--detection loud   | expected one of",
        "--what             | Unknown option: '--what'",
      })
  void run_wrongUsage_isTwo(String arguments, String problem) {
    Result result = run(arguments.strip().split(" "));
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains(problem).contains("--help").hasLineCount(2);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void run_help_namesEveryOption() {
    Result result = run("--help");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("--csv", "--rows", "--queries", "--forget", "--db", "--table", "--threads")
        .contains("--detection", "--seed", "--json", "--quiet", "--verbose", "130");
  }

  @Test
  void run_stdoutIsFull_saysSo() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    Result result = run(full, new Interrupt(), "--rows", "10", "--queries", "10");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .isEqualTo("offcut: cannot write the report: No space left on device\n");
  }

  private static String singleSpaced(String table) {
    return table.replaceAll(" +", " ");
  }

  private static Result run(String... arguments) {
    return run(new Interrupt(), arguments);
  }

  private static Result run(Interrupt interrupt, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Result result = run(out, interrupt, arguments);
    return new Result(result.code(), out.toString(StandardCharsets.UTF_8), result.err());
  }

  private static Result run(OutputStream out, Interrupt interrupt, String... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] quiet = Arrays.copyOf(arguments, arguments.length + 1);
    quiet[arguments.length] = "--quiet"; // the tests may run in a terminal
    int code = Main.run(out, new PrintStream(err, true, StandardCharsets.UTF_8), interrupt, quiet);
    return new Result(code, "", err.toString(StandardCharsets.UTF_8).replace("\r\n", "\n"));
  }

  /** SQLite reads it: a parser that is not ours. Booleans are 0 and 1. */
  private static String json(String text, String path) {
    try (Database database = Database.inMemory();
        Statement statement = database.prepare("SELECT json_extract(?1, ?2)");
        Rows rows = statement.bind(1, text).bind(2, path).query()) {
      assertThat(rows.next()).isTrue();
      return String.valueOf(rows.text(0));
    }
  }
}
