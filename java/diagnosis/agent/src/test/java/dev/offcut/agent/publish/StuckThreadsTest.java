package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StuckThreadsTest {
  @TempDir private Path folder = Path.of("");

  static Stream<Integer> versions() throws IOException {
    return AgentJvm.jvms().keySet().stream();
  }

  private List<Map<String, Object>> stuck(int version, String what)
      throws IOException, InterruptedException {
    Path tables = Files.createTempDirectory(folder, what);
    Process program =
        AgentJvm.of(
                Objects.requireNonNull(AgentJvm.jvms().get(version)),
                AgentJvm.agent("tables=" + tables))
            .classPath(AgentJvm.classes())
            .and(StuckProgram.class.getName(), what)
            .start();
    assertThat(program.waitFor()).isZero();
    try (Stream<Path> files = Files.list(tables)) {
      return TableReader.of(
              files.filter(file -> file.toString().endsWith(".tables")).findFirst().orElseThrow())
          .rows("offcut.StuckThread");
    }
  }

  private static String line(Map<String, Object> row) {
    String[] frames = String.valueOf(row.get("stack")).split("\n", -1);
    Object line = Objects.requireNonNull(row.get("line"));
    return Arrays.asList(frames).get((int) (long) (Long) line);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void finalizerThatDoesNotReturn_isTold(int version) throws Exception {
    Map<String, Object> row = stuck(version, "finalizer").get(0);
    assertThat(row).containsEntry("thread", "Finalizer");
    assertThat(line(row)).contains("StuckProgram$Finalized.finalize(");
    assertThat((Long) row.get("waiting")).isNotNegative();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void actionThatDoesNotReturn_isTold(int version) throws Exception {
    Map<String, Object> row = stuck(version, "cleaner").get(0);
    assertThat(line(row)).contains("StuckProgram.block(");
    assertThat(row).containsEntry("waiting", -1L);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void threadsThatWait_areNot(int version) throws Exception {
    assertThat(stuck(version, "nothing")).isEmpty();
  }
}
