package dev.offcut.agent.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
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
  private static final Map<String, String> EXPECTED =
      new TreeMap<>(
          Map.of(
              "arena.confined", "1,500 500 0 1,000 0 0 B",
              "arena.shared", "1,500 500 0 1,000 0 0 B",
              "arena.automatic", "1,000 0 1,000 0 0 0 B",
              // With those that are freed by whoever waits for direct memory.
              "buffer.direct", "1,600 500 1,100 0 0 0 B",
              "unsafe", "1,500 500 0 0 1,000 62.5 KiB",
              "jna", "1,500 500 1,000 0 0 0 B",
              "malloc.downcall", "1,500 500 0 0 1,000 62.5 KiB",
              "malloc.jna", "1,500 500 0 0 1,000 62.5 KiB",
              "cleaner", "1,500 500 1,000 0 0 0 B",
              // With one of JNA's.
              "finalizer", "1,001 0 1,000 0 1 0 B"));

  static SortedMap<Integer, Path> jvms() throws Exception {
    return AgentJvm.jvms();
  }

  static List<Integer> versions() throws Exception {
    return new ArrayList<>(jvms().keySet());
  }

  @BeforeAll
  static void sayWhatIsMissing() throws Exception {
    TreeSet<Integer> missing = new TreeSet<>(KNOWN);
    missing.removeAll(jvms().keySet());
    if (!missing.isEmpty()) {
      System.out.println("TruthTest: not tried on " + missing + ": no such JDK is found");
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void counts_areTheSameOnEveryJdk(int version, @TempDir Path folder) throws Exception {
    Map<String, String> expected = new TreeMap<>(EXPECTED);
    if (version < 25) {
      expected.keySet().removeIf(kind -> kind.startsWith("arena."));
    }
    if (version < 22) {
      expected.remove("malloc.downcall");
    }
    List<Object> arguments = new ArrayList<>(List.of(1, 1000));
    arguments.addAll(expected.keySet());
    List<String> report = run(version, folder, arguments.toArray());
    assertThat(counts(report)).isEqualTo(expected);
    assertThat(report).anyMatch(line -> line.endsWith(" collections were forced by direct memory"));
  }

  private static List<String> run(int version, Path folder, Object... arguments) throws Exception {
    Path file = folder.resolve("report");
    ChildJvm.Output output =
        AgentJvm.of(
                Objects.requireNonNull(jvms().get(version)),
                "-XX:MaxDirectMemorySize=16m",
                AgentJvm.agent("level=count,rules=off,gcatexit=on,report=" + file))
            .classPath(AgentJvm.classes(), AgentJvm.library("jna.jar"))
            .and(TruthProgram.class.getName())
            .and(arguments)
            .run();
    assertThat(output.out()).endsWith("end");
    assertThat(output.said()).isEmpty();
    return Files.readAllLines(file);
  }

  /**
   * Of each kind the numbers, without the most that were open: that was seen when somebody looked.
   */
  private static Map<String, String> counts(List<String> report) {
    Map<String, String> counts = new TreeMap<>();
    for (String line : report) {
      String[] cells = line.strip().split(" {2,}", -1);
      if (cells.length == 8 && !cells[0].equals("opened")) {
        counts.put(
            cells[7], String.join(" ", cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]));
      }
    }
    return counts;
  }
}
