package dev.offcut.command.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.command.judge.Baseline;
import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.GivenAccount;
import dev.offcut.command.read.Outside;
import dev.offcut.command.read.Sources;
import dev.offcut.command.read.Sources.Reading;
import dev.offcut.command.show.DigestJson;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

class FailOnTest {
  private static final int FOUND = 3;
  private static final int UNANSWERED = 5;

  @TempDir private Path folder = Path.of("");
  private Path recording = Path.of("");

  /** Without leaks, of a JVM without the agent. */
  @BeforeEach
  void write() throws IOException {
    recording = folder.resolve("quiet.jfr");
    try (Recording nothing = new Recording()) {
      nothing.start();
      nothing.stop();
      nothing.dump(recording);
    }
  }

  /** Nine steps in 90 s, from 100 MiB on. */
  private static Accounts rising(long step) {
    return steps(10, step);
  }

  private static Accounts steps(int count, long step) {
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    return new Accounts(
        IntStream.range(0, count)
            .mapToObj(i -> GivenAccount.taken(begin.plusSeconds(10L * i), (100L << 20) + step * i))
            .toList());
  }

  private Reading read(@Nullable Accounts accounts) throws Failure {
    return Sources.ofEnded(recording, new Outside(accounts, null, null));
  }

  private FailOn.Verdict check(@Nullable Accounts accounts, String option) throws Failure {
    FailOn failOn = new FailOn();
    new CommandLine(failOn).parseArgs(option);
    return failOn.check(read(accounts), "");
  }

  /** Of unexplained memory that rises by 60 MiB a minute. */
  @ParameterizedTest
  @CsvSource({"60m, 3", "1MiB/s, 3", "0, 3", "61m/min, 0", "4g/h, 0"})
  void growth_fromTheRateOn(String rate, int exitCode) throws Failure {
    assertThat(check(rising(10 << 20), "--fail-on-growth=" + rate).exitCode()).isEqualTo(exitCode);
  }

  @Test
  void growth_ofLessThan16Mebibytes_doesNotCountAsTheHelpSays() throws Failure {
    int step = ((16 << 20) + 8) / 9; // nine of these are 16 MiB; nine of one byte less, less
    assertThat(check(rising(step), "--fail-on-growth=1k").exitCode()).isEqualTo(FOUND);
    assertThat(check(rising(step - 1), "--fail-on-growth=1k").exitCode()).isZero();
    assertThat(new CommandLine(new FailOn()).getUsageMessage().replaceAll("\\s+", " "))
        .contains("rise of less than 16 MiB, or of less than 5 % of");
  }

  /** A check that looked at nothing does not pass: the recording is of a JVM without the agent. */
  @ParameterizedTest
  @ValueSource(strings = {"--fail-on-leak", "--fail-on-open"})
  void others_whereNothingWasCounted_areUnanswered(String option) throws Failure {
    assertThat(check(null, option))
        .isEqualTo(
            new FailOn.Verdict(
                List.of("the check of --fail-on cannot be answered: nothing was counted"),
                UNANSWERED));
  }

  @Test
  void growth_ofTooShortATime_isUnanswered() throws Failure {
    assertThat(check(rising(10 << 20), "--fail-on-growth=4g/h").lines().toString())
        .contains("passes")
        .doesNotContain("not checked for growth");
    for (@Nullable Accounts few : Arrays.asList(null, steps(4, 0))) {
      FailOn.Verdict verdict = check(few, "--fail-on-growth=4g/h");
      assertThat(verdict.exitCode()).isEqualTo(UNANSWERED);
      assertThat(verdict.lines().getFirst())
          .contains(
              "parts of resident memory were not checked for growth: the program ran too shortly");
    }
  }

  @Test
  void growth_thatIsKnown_doesNotCount() throws Failure {
    FailOn failOn = new FailOn();
    new CommandLine(failOn).parseArgs("--fail-on-growth=60m");
    Reading reading = read(rising(10 << 20));
    Baseline known =
        Baseline.of(Baseline.NONE.text(List.of(reading.digest())).lines().toList(), "known.txt");
    assertThat(failOn.check(reading, "").exitCode()).isEqualTo(FOUND);
    Reading applied = new Reading(known.applied(reading.digest()), reading.cutOff());
    assertThat(failOn.check(applied, "").exitCode()).isZero();
  }

  @Test
  void growth_isInJson() throws Failure {
    assertThat(DigestJson.of(read(rising(10 << 20)).digest()))
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
  }

  /** Whoever reads a failed check wants to know what failed it. */
  @Test
  void failed_namesTheFindings() throws Failure {
    assertThat(check(rising(10 << 20), "--fail-on-growth=60m").lines())
        .containsExactly(
            "--fail-on-growth fails (exit code 3):", "  unexplained rises by 60.0 MiB/min");
  }
}
