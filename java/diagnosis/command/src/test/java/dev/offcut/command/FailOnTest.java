package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.command.read.AccountsFile;
import dev.offcut.command.run.FailOn;
import dev.offcut.resident.Account;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class FailOnTest {
  private static final int FOUND = 3;
  private static final int UNANSWERED = 5;

  @TempDir private Path folder = Path.of("");
  private Path recording = Path.of("");

  /** Beside a recording without leaks: unexplained memory that rises by 60 MiB a minute. */
  @BeforeEach
  void writeGrowing() throws IOException {
    recording = folder.resolve("quiet.jfr");
    try (Recording nothing = new Recording()) {
      nothing.start();
      nothing.stop();
      nothing.dump(recording);
    }
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    List<Taken> taken =
        IntStream.range(0, 10)
            .mapToObj(i -> new Taken(begin.plusSeconds(10L * i), account((100L + 10L * i) << 20)))
            .toList();
    Files.writeString(
        folder.resolve("quiet" + AccountsFile.ENDING), AccountsFile.text(new Accounts(taken)));
  }

  private static Account account(long resident) {
    return new Account(
        resident,
        0,
        List.of(new Account.Row(Part.UNEXPLAINED, "", resident)),
        -1,
        0,
        1,
        0,
        null,
        List.of(),
        List.of(),
        Descriptors.UNKNOWN,
        List.of());
  }

  private int report(String option) {
    return new Words().run("report", option, recording.toString());
  }

  @Test
  void growth_fromTheRateOn() {
    assertThat(report("--fail-on-growth=60m")).isEqualTo(FOUND);
    assertThat(report("--fail-on-growth=1MiB/s")).isEqualTo(FOUND);
    assertThat(report("--fail-on-growth=0")).isEqualTo(FOUND);
    assertThat(report("--fail-on-growth=61m/min")).isZero();
    assertThat(report("--fail-on-growth=4g/h")).isZero();
  }

  @Test
  void growth_ofLessThan16Mebibytes_doesNotCountAsTheHelpSays() throws IOException {
    int step = ((16 << 20) + 8) / 9; // nine of these are 16 MiB; nine of one byte less, less
    Files.writeString(
        folder.resolve("quiet" + AccountsFile.ENDING), AccountsFile.text(rising(step)));
    assertThat(report("--fail-on-growth=1k")).isEqualTo(FOUND);
    Files.writeString(
        folder.resolve("quiet" + AccountsFile.ENDING), AccountsFile.text(rising(step - 1)));
    assertThat(report("--fail-on-growth=1k")).isZero();
    Words help = new Words();
    assertThat(help.run("report", "--help")).isZero();
    assertThat(help.printed().replaceAll("\\s+", " "))
        .contains("rise of less than 16 MiB, or of less than 5 % of");
  }

  /** Nine steps in 90 s, from 100 MiB on. */
  private static Accounts rising(int step) {
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    return new Accounts(
        IntStream.range(0, 10)
            .mapToObj(
                i -> new Taken(begin.plusSeconds(10L * i), account((100L << 20) + (long) step * i)))
            .toList());
  }

  /** A check that looked at nothing does not pass: the recording is of a JVM without the agent. */
  @ParameterizedTest
  @ValueSource(strings = {"--fail-on-leak", "--fail-on-open"})
  void others_whereNothingWasCounted_areUnanswered(String option) {
    Words words = new Words();
    assertThat(words.run("report", option, recording.toString())).isEqualTo(UNANSWERED);
    assertThat(words.said())
        .contains("offcut: the check of --fail-on cannot be answered: nothing was counted");
  }

  @Test
  void growth_withoutAnyFigure_isUnanswered() throws IOException {
    Files.delete(folder.resolve("quiet" + AccountsFile.ENDING));
    assertThat(report("--fail-on-growth=0")).isEqualTo(UNANSWERED);
  }

  /** The JVM's own word on resident memory says nothing of parts. */
  @Test
  void growth_ofResidentMemoryAlone_isUnanswered() throws IOException {
    Files.delete(folder.resolve("quiet" + AccountsFile.ENDING));
    try (Recording resident = new Recording()) {
      resident.enable("jdk.ResidentSetSize").with("period", "everyChunk");
      resident.start();
      resident.stop();
      resident.dump(recording);
    }
    Words words = new Words();
    assertThat(words.run("report", "--fail-on-growth=0", recording.toString()))
        .isEqualTo(UNANSWERED);
    assertThat(words.said()).contains("parts of resident memory were not checked for growth");
  }

  @Test
  void growth_ofTooShortATime_isUnanswered() throws IOException {
    Words words = new Words();
    assertThat(words.run("report", "--fail-on-growth=4g/h", recording.toString())).isZero();
    assertThat(words.said()).contains("passes").doesNotContain("not checked for growth");
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    List<Taken> few =
        IntStream.range(0, 4)
            .mapToObj(i -> new Taken(begin.plusSeconds(10L * i), account(100L << 20)))
            .toList();
    Files.writeString(
        folder.resolve("quiet" + AccountsFile.ENDING), AccountsFile.text(new Accounts(few)));
    words = new Words();
    assertThat(words.run("report", "--fail-on-growth=4g/h", recording.toString()))
        .isEqualTo(UNANSWERED);
    assertThat(words.said())
        .contains(
            "parts of resident memory were not checked for growth: the program ran too shortly");
  }

  @Test
  void growth_isInJson() {
    Words words = new Words();
    assertThat(words.run("report", "--json", recording.toString())).isZero();
    assertThat(words.printed())
        .contains(
            "\"growing\":[{\"part\":\"unexplained\",\"bytes\":62914560,\"seconds\":60.0,"
                + "\"rate\":62914560,");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1k, 1024", "1.5M/min, 1572864", "1g/h, 17895697", "2kb/s, 122880", "3 , 3"})
  void rate_isBytesAMinute(String text, long bytes) {
    assertThat(new FailOn.Rate().convert(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "-1m", "1m/d", "1 m", "1e3", "10%"})
  void rate_ofOtherText_saysSo(String text) {
    assertThatThrownBy(() -> new FailOn.Rate().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("is not a rate; examples are 10m/min and 2g/h");
    Words words = new Words();
    assertThat(words.run("report", "--fail-on-growth=" + text, recording.toString())).isEqualTo(2);
    assertThat(words.said()).contains("10m/min");
  }

  /** Whoever reads a failed check wants to know what failed it. */
  @Test
  void failed_namesTheFindings() {
    Words words = new Words();
    assertThat(words.run("report", "--fail-on-growth=60m", recording.toString())).isEqualTo(FOUND);
    assertThat(words.said())
        .contains("offcut: --fail-on-growth fails (exit code 3):")
        .contains("offcut:   unexplained rises by 60.0 MiB/min");
  }
}
