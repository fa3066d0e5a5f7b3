package dev.offcut.agent.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.publish.TableReader;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same program on each JDK that is there: the same exact counts. */
class TruthTest {
  /** Those that are looked for; newer ones that are there are tried, too. */
  private static final List<Integer> KNOWN = List.of(17, 21, 25, 26, 27, 28);

  /** By kind: opened, closed, collected, lost, open, bytes of those. */
  private static final Map<String, List<Long>> EXPECTED =
      new TreeMap<>(
          Map.of(
              "arena.confined", List.of(1500L, 500L, 0L, 1000L, 0L, 0L),
              "arena.shared", List.of(1500L, 500L, 0L, 1000L, 0L, 0L),
              "arena.automatic", List.of(1000L, 0L, 1000L, 0L, 0L, 0L),
              // With those that are freed by whoever waits for direct memory.
              "buffer.direct", List.of(1600L, 500L, 1100L, 0L, 0L, 0L),
              "unsafe", List.of(1500L, 500L, 0L, 0L, 1000L, 64000L),
              "jna", List.of(1500L, 500L, 1000L, 0L, 0L, 0L),
              "malloc.downcall", List.of(1500L, 500L, 0L, 0L, 1000L, 64000L),
              "malloc.jna", List.of(1500L, 500L, 0L, 0L, 1000L, 64000L),
              "cleaner", List.of(1500L, 500L, 1000L, 0L, 0L, 0L),
              // With one of JNA's.
              "finalizer", List.of(1001L, 0L, 1000L, 0L, 1L, 0L)));

  @BeforeAll
  static void sayWhatIsMissing() throws Exception {
    TreeSet<Integer> missing = new TreeSet<>(KNOWN);
    missing.removeAll(AgentJvm.versions());
    if (!missing.isEmpty()) {
      System.out.println("TruthTest: not tried on " + missing + ": no such JDK is found");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void counts_areTheSameOnEveryJdk(int version, @TempDir Path folder) throws Exception {
    Map<String, List<Long>> expected = new TreeMap<>(EXPECTED);
    if (version < 25) {
      expected.keySet().removeIf(kind -> kind.startsWith("arena."));
    }
    if (version < 22) {
      expected.remove("malloc.downcall");
    }
    List<Object> arguments = new ArrayList<>(List.of(1, 1000));
    arguments.addAll(expected.keySet());
    TableReader tables = run(version, folder, arguments.toArray());
    assertThat(tables.counts("opened", "closed", "collected", "lost", "open", "bytes"))
        .isEqualTo(expected);
    assertThat(tables.rows("offcut.ForcedCollection")).isNotEmpty();
  }

  private static TableReader run(int version, Path folder, Object... arguments) throws Exception {
    ChildJvm.Output output =
        AgentJvm.of(
                version,
                "-XX:MaxDirectMemorySize=16m",
                AgentJvm.agent("level=count,rules=off,gcatexit=on,tables=" + folder))
            .classPath(AgentJvm.classes(), AgentJvm.library("jna.jar"))
            .and(TruthProgram.class.getName())
            .and(arguments)
            .run();
    assertThat(output.out()).endsWith("end");
    assertThat(output.said()).isEmpty();
    return TableReader.in(folder);
  }
}
