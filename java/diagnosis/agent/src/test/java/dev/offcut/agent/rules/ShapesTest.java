package dev.offcut.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.publish.TableReader;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A program with owners that no rule names. */
class ShapesTest {
  private static final String OWNED = OwnedProgram.class.getName();

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void owners_areCountedExactly_viewsAreNot(int version) throws Exception {
    ChildJvm.Output output =
        AgentJvm.of(
                version,
                AgentJvm.agent("level=sample,gcatexit=on,quiet=on,shapes=on,tables=" + folder))
            .classPath(AgentJvm.classes())
            .and(OWNED)
            .run();
    TableReader tables = TableReader.in(folder);
    Map<String, List<Long>> counts =
        tables.countsOfClasses(Pattern.compile(Pattern.quote(OWNED) + "(?!\\$Last)"));
    assertThat(output.said()).isEmpty();
    assertThat(counts).isEqualTo(TableReader.printed(output.out())).hasSize(11);
    assertThat(tables.rows("offcut.ResourceStatistics"))
        .filteredOn(row -> String.valueOf(row.get("kind")).startsWith("closeable:" + OWNED))
        .allSatisfy(row -> assertThat(row).containsEntry("proof", "full"));
    Map<String, String> details = new TreeMap<>();
    for (Map<String, Object> row : tables.rows("offcut.WatchedClass")) {
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
