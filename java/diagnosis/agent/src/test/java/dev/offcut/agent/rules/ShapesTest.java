package dev.offcut.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.publish.TableReader;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A program with owners that no rule names. */
class ShapesTest {
  private static final String OWNED = OwnedProgram.class.getName();

  @TempDir private Path folder = Path.of("");

  static List<Integer> versions() throws Exception {
    return new ArrayList<>(AgentJvm.jvms().keySet());
  }

  private TableReader tables() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return TableReader.of(
          files.filter(file -> file.toString().endsWith(".tables")).toList().get(0));
    }
  }

  private ChildJvm.Output run(int version, String shapes) throws Exception {
    return AgentJvm.of(
            Objects.requireNonNull(AgentJvm.jvms().get(version)),
            AgentJvm.agent(
                "level=sample,gcatexit=on,quiet=on,tables=" + folder + ",shapes=" + shapes))
        .classPath(AgentJvm.classes())
        .and(OWNED)
        .run();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void owners_areCountedExactly_viewsAreNot(int version) throws Exception {
    ChildJvm.Output output = run(version, "on");
    Map<String, String> truth = new TreeMap<>();
    for (String line : output.out()) {
      truth.put(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1));
    }
    Map<String, String> counts = new TreeMap<>();
    for (Map<String, Object> row : tables().rows("offcut.ResourceStatistics")) {
      String kind = (String) Objects.requireNonNull(row.get("kind"));
      if (kind.startsWith("closeable:" + OWNED) && !kind.endsWith("$Last")) {
        assertThat(row).containsEntry("proof", "full");
        counts.put(
            kind.substring("closeable:".length()),
            Stream.of("opened", "closed", "collected", "lost", "open")
                .map(name -> String.valueOf(row.get(name)))
                .reduce((all, one) -> all + " " + one)
                .orElse(""));
      }
    }
    assertThat(output.said()).isEmpty();
    assertThat(counts).isEqualTo(truth).hasSize(11);
    Map<String, String> details = new TreeMap<>();
    for (Map<String, Object> row : tables().rows("offcut.WatchedClass")) {
      details.put(String.valueOf(row.get("class")), row.get("state") + ": " + row.get("detail"));
    }
    assertThat(details)
        .containsEntry(
            OWNED + "$Wrapper",
            "counted: delete() gives a handle to free, which is native; open while pointer is"
                + " set and owns is set; looked at after it was loaded: objects opened before that"
                + " do not count")
        .doesNotContainKey(OWNED + "$Views");
  }
}
