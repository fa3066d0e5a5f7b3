package dev.offcut.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Agent;
import dev.offcut.test.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The agent does not count as lost what a net of Offcut's libraries frees. */
@EnabledIf("hasAgent")
class ForgettingProgramTest {
  private static final int MOST_TURNS = 100;

  /** Of those opened: what is closed and collected, and the one that the program itself forgets. */
  private static final List<String> COUNTS =
      List.of("arena\\.confined +\\d+ +\\d+ +100 +1 +0 ", "arena\\.shared +\\d+ +\\d+ +100 +1 +0 ");

  @TempDir private Path folder = Path.of("");

  static boolean hasAgent() {
    return Agent.jar() != null;
  }

  /** What the command prints. */
  private static String offcut(String... words) throws Exception {
    return ChildJvm.with("-Doffcut.agent.jar=" + Agent.jar())
        .and("-cp", ChildJvm.testPath(), "dev.offcut.command.Main")
        .and((Object[]) words)
        .runToAnyEnd()
        .text();
  }

  @Test
  void whatIsForgotten_isNotLost() throws Exception {
    ChildJvm.with("-javaagent:" + Agent.jar() + "=level=full,quiet=on,tables=" + folder)
        .program(ForgettingProgram.class)
        .run();
    try (Stream<Path> tables = Files.list(folder)) {
      String file =
          tables
              .map(Path::toString)
              .filter(one -> one.endsWith(".tables"))
              .findFirst()
              .orElseThrow();
      String report = offcut("report", file);
      assertThat(COUNTS).allSatisfy(counts -> assertThat(report).containsPattern(counts));
      assertThat(report)
          .containsPattern("FORGOTTEN +[0-9]+ of [0-9]+ PoolArena handles")
          .containsPattern("FORGOTTEN +[0-9]+ of [0-9]+ block heap handles")
          .containsPattern("LOST +1 confined arena lost")
          .containsPattern("LOST +1 shared arena lost")
          .doesNotContainPattern("LOST ++(?!1 (confined|shared) arena)");
    }
  }

  /** The libraries' classes are there before the agent is. */
  @Test
  void whatARunningProgramForgets_isNotLost() throws Exception {
    Process program = ChildJvm.with().program(ForgettingProgram.class, "wait").start();
    try {
      assertThat(program.inputReader().readLine()).isEqualTo("waiting");
      String pid = String.valueOf(program.pid());
      offcut("attach", pid);
      program.getOutputStream().write('\n');
      program.getOutputStream().flush();
      String report = offcut("report", pid);
      for (int turn = 0; turn < MOST_TURNS && !areShown(report); turn++) {
        Thread.sleep(100);
        report = offcut("report", pid);
      }
      String last = report;
      assertThat(COUNTS).allSatisfy(counts -> assertThat(last).containsPattern(counts));
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  private static boolean areShown(String stats) {
    return COUNTS.stream().allMatch(counts -> Pattern.compile(counts).matcher(stats).find());
  }
}
