package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run reports, and what its options do. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class RunTest extends GivenRun {
  /** Of the agent's line at the start, the part before what it tracks. */
  private static final Pattern REWRITES_JNA = Pattern.compile("will rewrite [^;]*JNA's Memory");

  private static final String ENCODE = "dev.offcut.command.Programs$Filling$Codec.encode(";

  @Test
  void run_leaking_reportsExactly() throws Exception {
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended = offcut.run(words(leaking(0)));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out()).isEqualTo("forgot 1000\n");
    assertThat(ended.err())
        .contains("LOST       1,000 confined arenas lost: 1,000.0 KiB never freed")
        .contains("dev.offcut.command.LeakingProgram.forget(LeakingProgram.java:")
        .contains("  next: offcut report offcut-LeakingProgram.")
        .doesNotContain("\u001b");
    assertThat(offcut.only(".offcut").getFileName().toString())
        .matches("offcut-LeakingProgram\\.\\d+\\.offcut");
    assertThat(offcut.only(".html")).content().contains("<!DOCTYPE html>", "1,000 confined arenas");
    Words words = new Words();
    assertThat(words.run("report", offcut.only(".offcut").toString())).isZero();
    assertThat(words.printed()).contains("LOST       1,000 confined arenas lost");
    // It ended before a second had passed: the account is that of its end.
    JsonNode report = report(offcut);
    checkParts(report.required("memory"));
    assertThat(report.required("target").required("command")).hasSize(1);
    assertThat(report(offcut, "--show-args").required("target").required("command")).hasSize(3);
    JsonNode lost = report.required("findings").required(0);
    assertThat(lost.required("severity").asText()).isEqualTo("lost");
    assertThat(lost.required("kind").asText()).isEqualTo("arena.confined");
    assertThat(lost.required("bytes").asLong()).isEqualTo(1000 * 1024);
    assertThat(lost.required("next").asText()).isEqualTo("close each in try-with-resources.");
    assertThat(lost.required("confidence").required("bytes").asText()).isEqualTo("counted");
    for (String ending : List.of(".offcut", ".html")) {
      assertThat(Files.getPosixFilePermissions(offcut.only(ending)))
          .containsExactlyInAnyOrder(
              PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sample", "full"})
  void run_arenasFilledElsewhere_namesTheLineThatOpenedThem(String level) throws Exception {
    CommandProcess offcut = offcut();
    offcut.run(words(CommandProcess.program(Programs.Filling.class), "--level", level));
    JsonNode report = report(offcut);
    JsonNode finding = report.required("findings").required(0);
    assertThat(finding.required("kind").textValue()).isEqualTo("arena.shared");
    assertThat(finding.required("where").textValue()).contains("Programs$Filling$Registry.begin(");
    JsonNode site = report.required("sites").required(finding.required("site").intValue());
    boolean isSampled = level.equals("sample");
    assertThat(Math.abs(site.required("open").longValue() - Programs.Filling.ARENAS))
        .isLessThanOrEqualTo(isSampled ? site.at("/margins/open").longValue() : 0);
    assertThat(report.required("sites").toString()).doesNotContain("\"frames\":[\"" + ENCODE);
    JsonNode filled = report.required("filled");
    assertThat(filled.size()).isEqualTo(isSampled ? 1 : 0);
    if (isSampled) {
      assertThat(filled.at("/0/frames/0").textValue()).startsWith(ENCODE);
      long bytes = (long) Programs.Filling.ARENAS * Programs.Filling.BYTES;
      assertThat(Math.abs(filled.at("/0/bytes").longValue() - bytes))
          .isLessThanOrEqualTo(filled.at("/0/margins/bytes").longValue());
      assertThat(finding.required("text").textValue()).contains("was allocated at " + ENCODE);
    }
  }

  @Test
  void run_programThatStartsAJvm_saysThatItHasNoAgent() throws Exception {
    CommandProcess offcut = offcut();
    offcut.run(words(CommandProcess.program(Programs.Starting.class)));
    assertThat(report(offcut).required("limits").toString())
        .contains("The program started another JVM, which has no agent: PID ");
  }

  /**
   * A JVM that lets nobody attach would print stacks at the signal that tools send. The agent takes
   * the account then.
   */
  @Test
  void run_ofAJvmThatRefusesTools_hasAllRowsAndPrintsWhatTheProgramPrints() throws Exception {
    List<String> program = CommandProcess.with(leaking(0), "-XX:+DisableAttachMechanism");
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended = offcut.run(words(program));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out()).isEqualTo("forgot 1000\n");
    assertThat(ended.err())
        .contains("LOST       1,000 confined arenas lost")
        .doesNotContain("The JVM did not answer where");
    checkParts(report(offcut).required("memory"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "-, false",
        "--rewrite=jna, false",
        "--level=off --rewrite=jna --rewrite=streams, true"
      })
  void run_rewritesWhatItIsAskedFor(String options, boolean rewritten) throws Exception {
    List<String> own = new ArrayList<>(List.of("--no-report"));
    if (!options.equals("-")) {
      own.addAll(List.of(options.split(" ")));
    }
    CommandProcess.Ended ended =
        offcut()
            .run(
                words(
                    CommandProcess.program(Programs.Rewritten.class), own.toArray(String[]::new)));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out()).isEqualTo("rewritten " + rewritten + "\n");
    assertThat(REWRITES_JNA.matcher(ended.err()).find()).isEqualTo(options.contains("jna"));
  }

  /** Of both agents in one JVM: one has rewritten the streams, the other publishes their counts. */
  @Test
  void run_rewrite_reportsWhatWasSaved() throws Exception {
    CommandProcess offcut = offcut();
    List<String> program = CommandProcess.program(StreamsProgram.class, "end");
    assertThat(offcut.run(words(program, "--no-report", "--rewrite=streams")).exitCode()).isZero();
    assertThat(report(offcut).required("saved"))
        .singleElement()
        .satisfies(
            saved -> {
              assertThat(saved.required("feature").textValue()).isEqualTo("object streams");
              assertThat(saved.required("done").longValue()).isPositive();
            });
  }

  @Test
  void run_endsWithinASecond_handlesAndLoadersAreExact() throws Exception {
    CommandProcess offcut = offcut();
    List<String> program = CommandProcess.program(Programs.Handles.class, "1000");
    assertThat(offcut.run(words(program, "--no-report")).exitCode()).isZero();
    JsonNode report = report(offcut);
    assertThat(report.required("handles")).hasSize(1);
    JsonNode handles = report.required("handles").get(0);
    assertThat(handles.required("type").textValue()).isEqualTo("short_lived");
    assertThat(handles.required("opened").longValue()).isEqualTo(1000);
    assertThat(handles.required("closed").longValue()).isZero();
    assertThat(handles.required("forgotten").longValue() + handles.required("open").longValue())
        .isEqualTo(1000);
    JsonNode loaders = report.required("loaders");
    assertThat(loaders.required("loaders").longValue()).isPositive();
    assertThat(loaders.required("used").longValue()).isPositive();
  }

  /** Nothing is open, and yet the agent has to see its probe collected before it may say so. */
  @Test
  void run_closing_isCleanAsFarAsItWasTracked() throws Exception {
    List<String> program = CommandProcess.program(Programs.Closing.class);
    CommandProcess.Ended ended = offcut().run(words(program, "--fail-on-leak"));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err())
        .contains("Nothing was lost or forgotten among the kinds that were tracked");
    // Exit code 0 must not look like an answer about what nobody looks at.
    assertThat(ended.err().lines().toList().getLast())
        .startsWith(
            "offcut: the check of --fail-on passes for what was tracked; not tracked: whether a"
                + " native block is lost, ");
  }

  /** No recorder unless it is asked for; then its recording lies beside the archive. */
  @Test
  void run_record_makesARecordingToo() throws Exception {
    CommandProcess offcut = offcut();
    List<String> program = CommandProcess.program(Programs.Recorder.class);
    assertThat(offcut.run(words(program, "--no-report")).out()).isEqualTo("recorder false\n");
    assertThat(folder.toFile().list()).noneMatch(name -> name.endsWith(".jfr"));
    Files.delete(offcut.only(".offcut"));
    CommandProcess.Ended ended =
        offcut.run(words(program, "--record", "--watch", "shop.Thing", "-f", "-o", "both"));
    assertThat(ended.out()).isEqualTo("recorder true\n");
    assertThat(ended.err())
        .containsPattern("wrote both.offcut \\(.+\\), both.jfr \\(.+\\), both.txt and both.html");
    String missing = "shop.Thing is not counted (not loaded)";
    assertThat(folder.resolve("both.txt")).content().contains(missing);
    String recording = offcut.only(".jfr").toString();
    assertThat(Files.getPosixFilePermissions(offcut.only(".jfr"))).hasSize(2);
    Words words = new Words();
    assertThat(words.run("report", "--json", recording)).isZero();
    JsonNode report = new ObjectMapper().readTree(words.printed());
    checkParts(report.required("memory")); // by the accounts in the archive beside it
    // Events do not have which classes are counted; the archive of the same run does.
    assertThat(words.run("report", recording)).isZero();
    assertThat(words.printed()).contains(missing);
    assertThat(words.said()).contains("offcut: reading " + offcut.only(".offcut"));
    Files.delete(offcut.only(".offcut"));
    assertThat(words.run("report", recording)).isZero();
    assertThat(words.printed().replaceAll("\\s+", " "))
        .contains(
            "Which classes of rules are not counted is not known: recordings do not have that")
        .doesNotContain("Nothing was lost");
  }

  @Test
  void run_namesThatTheAgentDoesNotUnderstand_areLimits() throws Exception {
    Path rules = folder.resolve("rules.json");
    Files.writeString(rules, "{\"rules\": [{\"class\": \"a.B\"}]}");
    List<String> program =
        CommandProcess.with(
            CommandProcess.program(Programs.Recorder.class), "-Doffcut.watch=1x+shop.Thing");
    CommandProcess.Ended ended = offcut().run(words(program, "--rules", "rules.json"));
    assertThat(ended.err().replaceAll("\\s+", " "))
        .contains(
            "The agent reports: offcut.watch=1x+shop.Thing: 1x is no CLASS or CLASS#METHOD; it is"
                + " not watched")
        .contains("shop.Thing is not counted (not loaded)")
        .contains("The agent reports: " + rules + ":1: ")
        .doesNotContain("Nothing was lost");
  }

  @ParameterizedTest
  @CsvSource({
    "--watch,a.B+c.D",
    "--watch,1x",
    "--watch,a.B#",
    "--watch,java.lang.Object",
    "--watch-package,a..b",
    "--rules,none.json"
  })
  void run_namesThatAreNone_areRefused(String option, String name) {
    Words words = new Words();
    assertThat(words.run("run", option, name, "--", "java", "-version")).isEqualTo(2);
    assertThat(words.said()).contains(option);
  }

  /** The heap of ZGC is a file in memory: once among the parts, not three times. */
  @Test
  void run_zgc_heapIsThereOnce() throws Exception {
    CommandProcess offcut = offcut();
    List<String> program = new ArrayList<>(leaking(0));
    program.remove("-XX:+UseSerialGC");
    program.addAll(1, List.of("-XX:+UseZGC", "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"));
    assertThat(offcut.run(words(program)).exitCode()).isZero();
    JsonNode memory = report(offcut).required("memory");
    long heap = 256L << 20;
    assertThat(memory.required("resident").longValue()).isGreaterThan(heap);
    // The system may have taken some pages back.
    assertThat(bytes(memory, "Java heap, used") + bytes(memory, "Java heap, free"))
        .isBetween(heap - (1 << 20), heap);
    assertThat(bytes(memory, "mapped files") + bytes(memory, "shared memory")).isLessThan(heap / 8);
    checkParts(memory);
  }
}
