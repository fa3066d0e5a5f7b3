package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.command.read.GivenAccount;
import dev.offcut.command.read.Outside;
import dev.offcut.command.read.Sources;
import dev.offcut.command.show.ReportText;
import dev.offcut.resident.Account;
import dev.offcut.resident.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recordings in which nothing is lost: what was not looked at is said, and is no good news. */
class LimitsTest {
  private static final String SEEN =
      "No lost or forgotten resource was seen among the kinds that were tracked: ";

  private final Words words = new Words();
  @TempDir private Path folder = Path.of("");
  private Path file = Path.of("");

  /** Records an agent that says so, and a kind of which nothing is lost. */
  private void record(Consumer<TrackingEvents.AgentConfiguration> said, String proof, long opened)
      throws IOException {
    record(said, proof, opened, () -> {});
  }

  private void record(
      Consumer<TrackingEvents.AgentConfiguration> said, String proof, long opened, Runnable program)
      throws IOException {
    file = folder.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      Scenario.enable(recording);
      recording.enable("jdk.GarbageCollection");
      recording.start();
      program.run();
      var early = new TrackingEvents.AgentConfiguration();
      early.commit();
      var configuration = new TrackingEvents.AgentConfiguration();
      said.accept(configuration);
      configuration.commit();
      var kind = new TrackingEvents.ResourceStatistics();
      kind.kind = "buffer.direct";
      kind.opened = opened;
      kind.closed = opened;
      kind.proof = proof;
      kind.commit();
      recording.stop();
      recording.dump(file);
    }
  }

  private String printed(String... word) {
    String[] given = new String[word.length + 1];
    System.arraycopy(word, 0, given, 0, word.length);
    given[word.length] = file.toString();
    assertThat(words.run(given)).isZero();
    return words.printed().replaceAll("\\s+", " ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "refuted | The agent counted direct buffers wrongly on this JDK, so they are left out.",
        "closed | The counts of collected and lost direct buffers are not proven on this JDK: no"
            + " garbage collection has found the agent's probe yet.",
        "missed | The counts of collected and lost direct buffers are not proven on this JDK: a"
            + " garbage collection found the agent's probe, but the agent did not count it.",
        "none | The figures of direct buffers are not proven on this JDK."
      })
  void kindThatIsNotProven_isNoGoodNews(String proof, String limit) throws IOException {
    record(configuration -> {}, proof, 100);
    assertThat(printed("report"))
        .contains(limit, SEEN, "Not tracked: malloc memory of native libraries, buffers of mapped")
        .doesNotContain("Nothing was lost");
    assertThat(printed("report", "--json")).contains("\"limits\":[\"" + limit + "\"]");
    assertThat(printed("report").contains("buffer.direct 100 100"))
        .isEqualTo(!proof.equals("refuted"));
  }

  @Test
  void kindThatIsProven_isGoodNews() throws IOException {
    record(configuration -> {}, "full", 100);
    String news =
        "Nothing was lost or forgotten among the kinds that were tracked: arenas, direct buffers,";
    assertThat(printed("report")).contains(news, "Not tracked: malloc memory of native libraries");
    assertThat(printed("report", "--json")).contains("\"limits\":[]");
  }

  @Test
  void mainThatThrew_isNoGoodNews() throws IOException {
    record(configuration -> configuration.uncaught = "java.lang.IllegalStateException", "full", 1);
    assertThat(printed("report"))
        .contains(
            SEEN,
            "NOTE The program ended with exit code 1 Its main method threw"
                + " java.lang.IllegalStateException. This report covers what it did until then.")
        .doesNotContain("Nothing was lost");
  }

  @Test
  void exitCode_isTheOneThatWasGiven() throws IOException {
    record(configuration -> configuration.exitCode = 7, "full", 1);
    assertThat(printed("report"))
        .contains("NOTE The program ended with exit code 7 This report covers");
    record(configuration -> configuration.exitCode = 0, "full", 1);
    assertThat(printed("report")).doesNotContain("exit code");
  }

  @Test
  void sourceThatStoodDown_isNoGoodNews() throws IOException {
    record(configuration -> configuration.stoodDown = "arenas: not tracked", "full", 1);
    assertThat(printed("report"))
        .contains("lost or forgotten resource was seen", "The agent reports: arenas: not tracked")
        .doesNotContain("Nothing was lost");
  }

  /** The JDK may have asked for one of them, and the agent not have seen it. */
  @ParameterizedTest
  @CsvSource({"2,0,true", "1,0,false", "2,1,false"})
  void collectionsThatWereAskedFor_andNoneKnownToBeForced_isSaid(
      int collections, int forced, boolean said) throws IOException {
    record(
        configuration -> {},
        "full",
        1,
        () -> {
          for (int i = 0; i < collections; i++) {
            System.gc();
          }
          for (int i = 0; i < forced; i++) {
            new TrackingEvents.ForcedCollection().commit();
          }
        });
    String sentence =
        "The agent saw no garbage collection that direct memory forced. It is not proven that the"
            + " agent can see such collections on this JDK.";
    assertThat(printed("report").contains(sentence)).isEqualTo(said);
    assertThat(printed("report", "--json").contains(sentence)).isEqualTo(said);
  }

  /** Of a program that was killed the last account is from before. */
  @Test
  void accountFromBefore_saysHowOldItIs() throws Exception {
    record(configuration -> {}, "full", 1);
    for (int age : List.of(0, 60)) {
      Account account = GivenAccount.of(new Account.Row(Part.MALLOC_USED, "", 4096));
      for (boolean atEnd : List.of(false, true)) {
        Taken taken = new Taken(Instant.now().minusSeconds(age), account, atEnd);
        Outside outside = new Outside(new Accounts(List.of(taken)), null, null);
        String printed =
            ReportText.of(Sources.ofEnded(file, outside).digest(), false).replaceAll("\\s+", " ");
        assertThat(printed).contains("malloc, in use 4.0 KiB 100 %", "and malloc has 1 arena.");
        assertThat(printed.contains("before the end of the recording"))
            .isEqualTo(age > 0 && !atEnd);
      }
    }
  }
}
