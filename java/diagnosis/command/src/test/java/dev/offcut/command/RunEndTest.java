package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import dev.offcut.test.Await;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How runs end: exit codes, and programs that are killed, broken or missing. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class RunEndTest extends GivenRun {
  @Test
  void run_exitCode_isTheProgramsOwn() throws Exception {
    CommandProcess.Ended ended = offcut().run(words(leaking(7), "--fail-on-leak"));
    assertThat(ended.exitCode()).isEqualTo(7);
    assertThat(ended.err()).containsOnlyOnce("NOTE       The program ended with exit code 7");
  }

  @Test
  void run_mainThatThrows_isSaidByTheArchiveToo() throws Exception {
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended =
        offcut.run(words(CommandProcess.program(LeakingProgram.class, "0", "none")));
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err().replaceAll("\\s+", " "))
        .contains("Exception in thread \"main\" java.lang.NumberFormatException: For input")
        .containsOnlyOnce("NOTE The program ended with exit code 1 Its main method threw")
        .doesNotContain("Nothing was lost");
    Words words = new Words();
    assertThat(words.run("report", offcut.only(".offcut").toString())).isZero();
    assertThat(words.printed())
        .contains("The program ended with exit code 1")
        .doesNotContain("Nothing was lost");
  }

  @ParameterizedTest
  @CsvSource({
    "Newer,java.lang.UnsupportedClassVersionError: Newer ",
    "Missing,there is no class Missing",
    "NoMain,the class NoMain has no method main"
  })
  void run_programThatDoesNotStart_isSaid(String main, String reason) throws Exception {
    Files.write(folder.resolve("Newer.class"), emptyClass("Newer", 99));
    Files.write(folder.resolve("NoMain.class"), emptyClass("NoMain", 61));
    CommandProcess offcut = offcut();
    List<String> program = List.of(CommandProcess.java(), "-cp", folder.toString(), main);
    CommandProcess.Ended ended = offcut.run(words(program));
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err().replaceAll("\\s+", " "))
        .contains("NOTE The program did not start " + reason)
        .doesNotContain("Nothing was lost", "ended with exit code");
    Words words = new Words();
    assertThat(words.run("report", offcut.only(".offcut").toString())).isZero();
    assertThat(words.printed())
        .contains("The program did not start")
        .doesNotContain("Nothing was lost");
    assertThat(words.run("report", "--fail-on-leak", offcut.only(".offcut").toString()))
        .isEqualTo(5);
    assertThat(words.said()).contains("cannot be answered: the program did not start");
  }

  /** The file of a class that has nothing. */
  private static byte[] emptyClass(String name, int version) {
    return ClassFile.of().build(ClassDesc.of(name), type -> type.withVersion(version, 0));
  }

  @Test
  void run_withoutTheLastCollection_saysThatLossesMayBeMissing() throws Exception {
    List<String> program = CommandProcess.with(leaking(0), "-XX:+DisableExplicitGC");
    CommandProcess.Ended ended = offcut().run(words(program, "--fail-on-leak"));
    assertThat(ended.err().replaceAll("\\s+", " "))
        .contains(
            "The agent reports: System.gc() ran no garbage collection at the end, perhaps because of"
                + " -XX:+DisableExplicitGC; what was unreachable then, and was not found before,"
                + " counts as open")
        .doesNotContain("Nothing was lost");
  }

  /** Or what was freed because of that collection would be in the account, and in no count. */
  @Test
  void run_lastAccount_isBehindTheLastCollection() throws Exception {
    CommandProcess offcut = offcut();
    offcut.run(words(CommandProcess.program(Programs.Dropping.class)));
    assertThat(bytes(report(offcut).required("memory"), "malloc, in use"))
        .isBetween(1L, Programs.Dropping.OBJECTS * Programs.Dropping.BYTES / 2L);
  }

  /** What only variables of the main method hold is not lost because that returns. */
  @Test
  void run_whatMainUsesToItsEnd_isOpen() throws Exception {
    CommandProcess offcut = offcut();
    offcut.run(words(CommandProcess.program(Programs.Returning.class)));
    for (JsonNode kind : report(offcut).required("kinds")) {
      if (kind.required("kind").textValue().equals("arena.shared")) {
        assertThat(kind.required("open").intValue()).isEqualTo(Programs.Returning.KEPT);
        assertThat(kind.required("lost").intValue()).isEqualTo(Programs.Returning.FORGOTTEN);
        assertThat(kind.required("peakBytes").longValue())
            .as("nobody freed the forgotten ones")
            .isEqualTo(kind.required("lostBytes").longValue());
        return;
      }
    }
    fail("no arenas");
  }

  /** A check does not pass for a kind that is counted by default, and was not. */
  @Test
  void run_failOnLeakOfAKindThatIsSwitchedOff_cannotBeAnswered() throws Exception {
    List<String> program =
        CommandProcess.with(
            CommandProcess.program(Programs.Recorder.class), "-Doffcut.buffers=off");
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended = offcut.run(words(program, "--fail-on-leak"));
    assertThat(ended.exitCode()).isEqualTo(5);
    assertThat(ended.err())
        .contains("cannot be answered: direct buffers are not tracked in this program");
    Words words = new Words();
    assertThat(words.run("report", "--fail-on-leak", offcut.only(".offcut").toString()))
        .isEqualTo(5);
  }

  @Test
  void run_failOnLeak_is3AndTheReportIsInItsFile() throws Exception {
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended = offcut.run(words(leaking(0), "--fail-on-leak", "-o", "night"));
    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.err())
        .contains("night.offcut", "night.txt and night.html")
        .contains("offcut: --fail-on-leak fails (exit code 3):")
        .contains("offcut:   LOST 1,000 confined arenas lost")
        .doesNotContain("LOST  ");
    assertThat(folder.resolve("night.txt")).content().contains("LOST ");
    assertThat(folder.resolve("night.offcut")).isNotEmptyFile();
    assertThat(folder.resolve("night.html")).isNotEmptyFile();
    ended = offcut.run(words(leaking(0), "-o", "night"));
    assertThat(ended.exitCode()).isEqualTo(125);
    assertThat(ended.err()).contains("night.offcut exists already; -f overwrites it");
    assertThat(ended.out()).as("the program did not run").isEmpty();
  }

  @Test
  void run_missing_is127() throws Exception {
    CommandProcess.Ended ended = offcut().run("run", "--", "no-such-program");
    assertThat(ended.exitCode()).isEqualTo(127);
    assertThat(ended.err()).contains("there is no program no-such-program");
  }

  @Test
  void run_noProgram_is126() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "not a program");
    CommandProcess.Ended ended = offcut().run("run", "--", text.toString());
    assertThat(ended.exitCode()).isEqualTo(126);
    assertThat(ended.err()).contains("cannot be run");
  }

  @Test
  void run_noJvm_saysThatThereIsNoReport() throws Exception {
    CommandProcess.Ended ended = offcut().run("run", "--", "sh", "-c", "exit 9");
    assertThat(ended.exitCode()).isEqualTo(9);
    assertThat(ended.err()).contains("there is no report", "exit code 9");
  }

  @Test
  void run_noAgent_is125() throws Exception {
    CommandProcess.Ended ended = offcut("-Doffcut.agent.jar=no.jar").run(words(leaking(0)));
    assertThat(ended.exitCode()).isEqualTo(125);
    assertThat(ended.err()).contains("the agent is not at").hasLineCount(1);
  }

  @Test
  void run_terminated_programEndsAndIsReported() throws Exception {
    CommandProcess offcut = offcut();
    Process process =
        offcut.start(words(CommandProcess.program(LeakingProgram.class, "1000", "0", "wait")));
    await(offcut, "waiting");
    process.destroy();
    CommandProcess.Ended ended = offcut.ended(process);
    assertThat(ended.exitCode()).isEqualTo(143);
    assertThat(ended.out()).endsWith("bye\n");
    assertThat(ended.err()).contains("LOST       1,000 confined arenas lost");
  }

  @Test
  void run_killed_isReportedUpToItsLastSecond() throws Exception {
    CommandProcess offcut = killed();
    Words words = new Words();
    assertThat(words.run("report", offcut.only(".offcut").toString()))
        .as("what is kept of a killed program says that its end is missing")
        .isEqualTo(5);
    assertThat(words.said()).contains("is missing; what could be read is shown");
    assertThat(words.printed())
        .contains("The program was killed or halted", "The program ended with exit code 137")
        .doesNotContain("Nothing was lost", "it still ran");
  }

  private CommandProcess killed() throws Exception {
    CommandProcess offcut = offcut("-Doffcut.terminal.stderr=true");
    List<String> program =
        new ArrayList<>(CommandProcess.program(LeakingProgram.class, "1000", "0", "wait"));
    Process process =
        new CommandProcess(folder, Map.of("TERM", "xterm"), "-Doffcut.terminal.stderr=true")
            .start(words(program));
    await(offcut, "waiting");
    // The line of progress is written when something was published.
    Await.until("progress", () -> offcut.said().contains("tracked 1"));
    process.children().forEach(ProcessHandle::destroyForcibly);
    CommandProcess.Ended ended = offcut.ended(process);
    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(ended.err())
        .contains(
            "arena.confined",
            "The program was killed",
            "NOTE       The program ended with exit code 137 (SIGKILL)",
            "A user killed it, or the system killed it");
    return offcut;
  }

  /** The tables have what the recording would have had. */
  @Test
  void run_recordingBrokenOff_isReportedFromTheTables() throws Exception {
    List<String> program = CommandProcess.program(Programs.Breaking.class, "1000");
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended = offcut.run(words(program, "--record"));
    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(ended.err()).containsPattern("arena\\.confined +1,000").contains("offcut: wrote");
    Words words = new Words();
    assertThat(words.run("report", offcut.only(".jfr").toString())).isEqualTo(5);
    assertThat(words.said()).contains("offcut: reading " + offcut.only(".offcut"));
    assertThat(words.printed()).containsPattern("arena\\.confined +1,000");
  }

  @Test
  void output_toAFullDisk_fails() throws Exception {
    List<String> words = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" >/dev/full", "sh"));
    words.addAll(CommandProcess.program(Main.class, "help"));
    Process help = new ProcessBuilder(words).start();
    assertThat(new String(help.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("offcut: cannot write the result: No space left on device\n");
    assertThat(help.waitFor()).isEqualTo(1);
  }

  /** What fails in the command must not look as if the program had failed. */
  @Test
  void run_tablesNothingCanBeHadOf_is125() throws Exception {
    String script = "in=${JAVA_TOOL_OPTIONS##*tables=}; echo rubbish >${in%%,*}/1.tables; exit 7";
    CommandProcess.Ended ended = offcut().run("run", "--", "sh", "-c", script);
    assertThat(ended.exitCode()).isEqualTo(125);
    assertThat(ended.err())
        .contains("is no recording of Flight Recorder", "what the program left stays in /")
        .hasLineCount(3);
    String folder = ended.err().replaceAll("(?s).* stays in (\\S+);.*", "$1");
    try (Stream<Path> files = Files.walk(Path.of(folder))) {
      List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
      assertThat(all).anyMatch(file -> file.endsWith("1.tables"));
      all.forEach(file -> file.toFile().delete());
    }
  }

  @Test
  void run_bug_is125() throws Exception {
    // The JDK throws an error when it is to start a process.
    CommandProcess offcut = offcut("-Djdk.lang.Process.launchMechanism=NONE");
    assertThat(offcut.run("run", "--", "true").exitCode()).isEqualTo(125);
  }

  /** Unread, so that the report cannot be written: the only way out is a signal. */
  @Test
  void run_terminatedAtTheReport_ends() throws Exception {
    int pipe = 1 << 16;
    Process process =
        offcut().startPiped(words(List.of("sh", "-c", "head -c " + pipe + " /dev/zero >&2")));
    try {
      Await.until("a full pipe", () -> process.getErrorStream().available() >= pipe);
      Await.until("the end of its child", () -> process.children().findAny().isEmpty());
      process.toHandle().destroy(); // the process's own closes its pipes, too: then it could write
      Await.until("its end", () -> !process.isAlive());
      assertThat(process.exitValue()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void run_scriptThatStartsTwo_keepsAndJudgesBoth() throws Exception {
    Path script = folder.resolve("start both.sh");
    Files.writeString(script, "#!/bin/sh\n\"$@\" && exec \"$1\" -version\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(leaking(0));
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended = offcut.run(words(command, "-o", "both", "--fail-on-leak"));
    assertThat(ended.exitCode()).as("the first leaks, not the last").isEqualTo(3);
    assertThat(ended.err())
        .containsPattern(
            "wrote both-LeakingProgram\\.\\d+\\.offcut, of another JVM that the command started");
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> archives = files.filter(file -> file.toString().endsWith(".offcut")).toList();
      assertThat(archives).hasSize(2);
      List<String> printed = new ArrayList<>();
      for (Path archive : archives) {
        Words words = new Words();
        assertThat(words.run("report", archive.toString())).isZero();
        printed.add(words.printed());
      }
      assertThat(printed)
          .satisfiesOnlyOnce(text -> assertThat(text).contains("1,000 confined arenas lost"))
          .satisfiesOnlyOnce(text -> assertThat(text).doesNotContain("arenas lost"));
    }
  }
}
