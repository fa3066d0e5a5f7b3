package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StuckThreadsTest {
  @TempDir private Path folder = Path.of("");

  private static String line(Map<String, Object> row) {
    List<String> frames = String.valueOf(row.get("stack")).lines().toList();
    return frames.get((int) TableReader.number(row, "line"));
  }

  /** Threads that wait for work are not among them. */
  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void threadsThatFreeObjects_andDoNotComeBack_areTold(int version) throws Exception {
    AgentJvm.of(version, AgentJvm.agent("tables=" + folder))
        .classPath(AgentJvm.classes())
        .and(StuckProgram.class.getName())
        .run();
    assertThat(TableReader.in(folder).rows("offcut.StuckThread"))
        .satisfiesExactlyInAnyOrder(
            row -> {
              assertThat(row).containsEntry("thread", "Finalizer");
              assertThat(line(row)).contains("StuckProgram$Finalized.finalize(");
              assertThat(TableReader.number(row, "waiting")).isNotNegative();
            },
            row -> {
              assertThat(line(row)).contains("StuckProgram.block(");
              assertThat(row).containsEntry("waiting", -1L);
            });
  }
}
