package dev.offcut.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.ChildJvm;
import dev.offcut.agent.Option;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command of the jar, beside programs that run. */
class CommandTest {
  private static final String REWRITTEN =
      "rewrites when loaded ObjectInputStream (17 collections), RMI's streams," + " JNA's Memory";

  /** Of the program at a time, as long as elements of collections have entries of their own. */
  private static final int WALKS = 4;

  private static ChildJvm.Output offcut(Object... words) throws Exception {
    return ChildJvm.with().and("-jar", ChildJvm.AGENT).and(words).runToAnyEnd();
  }

  private static List<String> done(Object... words) throws Exception {
    ChildJvm.Output output = offcut(words);
    assertThat(output.exitCode()).as("%s", output).isZero();
    assertThat(output.err()).isEmpty();
    return output.out();
  }

  static void assertFails(ChildJvm.Output output, int exitCode, String sentence) {
    assertThat(output.err()).singleElement().asString().startsWith("offcut: ").contains(sentence);
    assertThat(output.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void help_namesAllOptions() throws Exception {
    String help = String.join("\n", done("--help"));
    for (Option option : Option.values()) {
      assertThat(help).contains(option.label());
    }
    assertThat(done("--version")).singleElement().asString().matches("offcut-agent \\d.*");
  }

  @ParameterizedTest
  @CsvSource({
    "'', a word is missing; --help shows the words",
    "lst, the word lst is unknown; --help shows the words",
    "status, a PID is missing after status; --help shows the words",
    "status main, main is no PID; --help shows the words",
    "report -1, -1 is no PID; --help shows the words",
    "list 1, 1 is one argument too many for list; --help shows the words",
    "status 1 2, 2 is one argument too many for status; --help shows the words",
    "report 1 f 3, 3 is one argument too many for report; --help shows the words",
    "--version x, x is one argument too many for --version; --help shows the words"
  })
  void whatIsNotUnderstood_isExit2(String words, String sentence) throws Exception {
    ChildJvm.Output output = offcut(words.isEmpty() ? new Object[0] : words.split(" "));
    assertThat(output.err()).containsExactly("offcut: " + sentence);
    assertThat(output.out()).isEmpty();
    assertThat(output.exitCode()).isEqualTo(2);
  }

  @Test
  void list_hasProgramsWithAndWithoutTheAgent_withoutTheirArguments() throws Exception {
    try (RunningProgram with = RunningProgram.start(ChildJvm.withAgent(""), 0);
        RunningProgram without = RunningProgram.start(ChildJvm.with(), 0)) {
      List<String> lines = done("list");
      String program = ReadingProgram.class.getName();
      assertThat(lines).first().asString().matches(" *PID +JAVA +AGENT +PROGRAM");
      assertThat(lines).anyMatch(row -> row.matches(" *" + with.pid() + " .* \\d\\S+  " + program));
      assertThat(lines).anyMatch(row -> row.matches(" *" + without.pid() + " .* -  " + program));
      assertThat(lines).noneMatch(row -> row.contains("secret"));
    }
  }

  @Test
  void list_withAProgramThatIsStopped_goesOn() throws Exception {
    try (RunningProgram stopped = RunningProgram.start(ChildJvm.with(), 0);
        RunningProgram other = RunningProgram.start(ChildJvm.with(), 0)) {
      offcut("status", stopped.pid()); // so that it is listening
      stopped.signal("STOP");
      List<String> lines = done("list");
      stopped.signal("CONT");
      assertThat(lines)
          .anyMatch(row -> row.contains(stopped.pid() + " ") && row.contains("  no answer  "))
          .anyMatch(row -> row.contains(other.pid() + " ") && row.contains("  -  "));
    }
  }

  @Test
  void status_saysWhatWasDoneAndCounts() throws Exception {
    try (RunningProgram program = RunningProgram.start(ChildJvm.withAgent("verify=1"), 10)) {
      List<String> lines = done("status", program.pid());
      assertThat(lines.get(0))
          .startsWith("JVM " + program.pid() + ", " + ReadingProgram.class.getName() + ", Java ")
          .doesNotContain("secret");
      assertThat(lines).contains(REWRITTEN, "walks    " + WALKS * 10 + " done", "mismatch none");
      assertThat(lines).anyMatch(line -> line.matches("verified [1-9].*, 1 in 1"));
      assertThat(lines).anyMatch(line -> line.matches("saved    [1-9].* %"));
    }
  }

  @Test
  void status_ofAnAgentThatIsOff_saysSo() throws Exception {
    try (RunningProgram program = RunningProgram.start(ChildJvm.withAgent("enabled=off"), 1)) {
      assertThat(done("status", program.pid()))
          .contains(
              "switched off as a whole", "object streams are as they were: nothing is counted");
    }
  }

  @Test
  void status_withoutTheAgent_saysHowToAttach() throws Exception {
    try (RunningProgram program = RunningProgram.start(ChildJvm.with(), 1)) {
      for (String word : List.of("status", "report")) {
        long pid = program.pid();
        assertFails(
            offcut(word, pid), 1, "the agent is not in the JVM " + pid + "; `attach " + pid + "`");
      }
    }
  }

  @Test
  void attach_saysWhatTheAgentSaid_andSecondlyThatItIsThere() throws Exception {
    try (RunningProgram program = RunningProgram.start(ChildJvm.with(), 0)) {
      String unknown =
          "the option foo is unknown; known are enabled, jna, streams, classcache, collections,"
              + " rmi, level, sample, record, overwrite, gcatexit, arenas, buffers, unsafe, jnamemory, cleaners,"
              + " finalizers, forcedgc, verify, report, options, quiet";
      List<String> first = done("attach", program.pid(), "foo=1,rmi=off,streams=off,jna=on");
      assertThat(first).contains(unknown);
      assertThat(first).last().asString().contains("switched off streams, rmi");
      ChildJvm.Output again = offcut("attach", program.pid(), "streams=on");
      assertThat(again.err())
          .containsExactly("offcut: the agent is in this JVM already; options have no effect");
      assertThat(again.exitCode()).isZero();
      assertThat(again.out()).isEqualTo(first);
    }
  }

  @Test
  void attach_afterStreamsWereRead_saysThatTheyStayAsTheyAre() throws Exception {
    try (RunningProgram program = RunningProgram.start(ChildJvm.with(), 1)) {
      assertThat(done("attach", program.pid()))
          .contains(
              "object streams: ObjectInputStream was loaded before the agent; left as it is",
              "rewrites when loaded JNA's Memory");
    }
  }

  @Test
  void report_recordsPlacesFromTheFirstOneOn(@TempDir Path folder) throws Exception {
    try (RunningProgram program = RunningProgram.start(ChildJvm.withAgent(""), 50)) {
      assertThat(done("report", program.pid()))
          .contains("walks    " + WALKS * 50 + " done", "places   not recorded")
          .endsWith("Places and classes are recorded from now on: ask again later.");
      program.readAgain();
      Path file = folder.resolve("report");
      assertThat(done("report", program.pid(), file)).isEmpty();
      List<String> lines = Files.readAllLines(file);
      assertThat(lines)
          .contains(
              "walks    " + WALKS * 100 + " done", "filter   missing in " + WALKS * 25 + " reads");
      String place = ".*  " + ReadingProgram.class.getName() + "\\.";
      assertThat(lines)
          .anyMatch(line -> line.matches(" *100 .* 100  .*" + place + "read"))
          .anyMatch(line -> line.matches(" *100 .* 0  .*" + place + "readFiltered"));
    }
  }

  @Test
  void report_intoAFolderThatIsNot_isExit1(@TempDir Path folder) throws Exception {
    try (RunningProgram program = RunningProgram.start(ChildJvm.withAgent(""), 0)) {
      Path file = folder.resolve("none/report");
      assertFails(
          offcut("report", program.pid(), file), 1, "the report could not be written to " + file);
    }
  }

  @Test
  void start_loadsNothingOfTheCommand_andMakesNoLambda(@TempDir Path folder) throws Exception {
    Path log = folder.resolve("classes");
    ChildJvm.withAgent("").and("-Xlog:class+load:file=" + log).and("-version").run();
    List<String> loaded = Files.readAllLines(log);
    assertThat(loaded).anyMatch(line -> line.contains(" dev.offcut.agent.Agent "));
    assertThat(loaded)
        .noneMatch(line -> line.contains("dev.offcut.agent.command."))
        .noneMatch(line -> line.contains("dev.offcut.agent.") && line.contains("Lambda"));
  }
}
