package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent in programs that run: what it answers, and what it does when it is attached. */
class RunningAgentTest {
  /** Of the program at a time, as long as elements of collections have entries of their own. */
  private static final int WALKS = 4;

  @Test
  void status_saysWhatWasDoneAndCounts() throws Exception {
    try (RunningProgram program = RunningProgram.start(AgentJvm.withAgent("verify=1"), 10)) {
      List<String> lines = program.ask(Request.STATUS);
      assertThat(lines).contains("walks    " + WALKS * 10 + " done", "mismatch none");
      assertThat(lines).anyMatch(line -> line.matches("verified [1-9].*, 1 in 1"));
      assertThat(lines).anyMatch(line -> line.matches("saved    [1-9].* %"));
    }
  }

  @Test
  void status_ofAnAgentThatIsOff_saysSo() throws Exception {
    try (RunningProgram program = RunningProgram.start(AgentJvm.withAgent("enabled=off"), 1)) {
      assertThat(program.ask(Request.STATUS))
          .containsExactly("object streams were not rewritten, so nothing is counted");
    }
  }

  @Test
  void attach_withOptions_saysWhichItDoesNotKnow() throws Exception {
    try (RunningProgram program = RunningProgram.start(AgentJvm.with(), 0)) {
      String unknown = "the option foo is unknown; known are " + OptionsTest.KNOWN;
      List<String> said = program.attach("foo=1,rmi=off,streams=off,jna=on");
      assertThat(said).contains(unknown);
      assertThat(said).last().asString().contains("switched off streams, rmi");
    }
  }

  @Test
  void attach_afterStreamsWereRead_saysThatTheyStayAsTheyAre() throws Exception {
    try (RunningProgram program = RunningProgram.start(AgentJvm.with(), 1)) {
      assertThat(program.attach(""))
          .contains(
              "object streams: ObjectInputStream was loaded before the agent; left as it is",
              "will rewrite JNA's Memory");
    }
  }

  @Test
  void attach_toAJvmWithoutOptions_tracksAll() throws Exception {
    try (RunningProgram program = RunningProgram.startPlain()) {
      int version = Runtime.version().feature();
      String arenas = version >= 25 ? "arenas, " : "";
      String downcalls = version >= 22 ? "downcalls of malloc, " : "";
      assertThat(program.attach("level=sample"))
          .filteredOn(line -> line.contains("tracks "))
          .singleElement()
          .asString()
          .endsWith(
              "tracks "
                  + arenas
                  + "direct buffers, Unsafe, JNA's Memory, "
                  + downcalls
                  + "JNA's Native.malloc, cleaners, finalizers, forced collections (sample)");
    }
  }

  @Test
  void report_recordsPlacesFromTheFirstOneOn() throws Exception {
    try (RunningProgram program = RunningProgram.start(AgentJvm.withAgent(""), 50)) {
      assertThat(program.ask(Request.REPORT))
          .contains("walks    " + WALKS * 50 + " done", "sites    not recorded")
          .endsWith("Call sites and classes are recorded from now on; ask again later.");
      program.readAgain();
      List<String> lines = program.ask(Request.REPORT);
      assertThat(lines)
          .contains(
              "walks    " + WALKS * 100 + " done", "filter   missing in " + WALKS * 25 + " reads");
      String place = ".*  " + ManyReadsProgram.class.getName() + "\\.";
      assertThat(lines)
          .anyMatch(line -> line.matches(" *100 .* 100  .*" + place + "read"))
          .anyMatch(line -> line.matches(" *100 .* 0  .*" + place + "readFiltered"));
    }
  }

  @Test
  void start_makesNoLambda(@TempDir Path folder) throws Exception {
    Path log = folder.resolve("classes");
    AgentJvm.withAgent("").and("-Xlog:class+load:file=" + log).and("-version").run();
    List<String> loaded = Files.readAllLines(log);
    assertThat(loaded).anyMatch(line -> line.contains(" dev.offcut.agent.Agent "));
    assertThat(loaded)
        .noneMatch(line -> line.contains("dev.offcut.agent.") && line.contains("Lambda"));
  }

  @Test
  void jar_asAProgram_saysWhereTheCommandIs() throws Exception {
    ChildJvm.Output output = AgentJvm.with().and("-jar", AgentJvm.AGENT, "status", 1).runToAnyEnd();
    assertThat(output.err())
        .hasSize(3)
        .anyMatch(line -> line.matches("offcut-agent [0-9]\\S* is an agent, .*"))
        .anyMatch(line -> line.contains("java -javaagent:offcut-agent.jar"))
        .anyMatch(line -> line.contains("offcut attach PID"));
    assertThat(output.out()).isEmpty();
    assertThat(output.exitCode()).isEqualTo(2);
  }
}
