package dev.offcut.agent.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.base.Kind;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arenas that others refer to, that have cleanups, and that are closed while others allocate. */
@EnabledForJreRange(minVersion = 25, disabledReason = "arenas are not tracked on this JDK")
class ArenaTrackingTest {
  private static ChildJvm jvm() {
    return AgentJvm.with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m")
        .and("--enable-native-access=ALL-UNNAMED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"count", "full"})
  void owner_thatACleanupCaptures_isCollectedAndTheArenaIsLost(String level, @TempDir Path folder)
      throws Exception {
    Recorded recorded =
        Recorded.run(folder, jvm(), ArenaProgram.class, "level=" + level, "captured", 1000);
    assertThat(recorded.output.out()).containsExactly("kept 0");
    for (String kind : List.of("arena.confined", "arena.shared")) {
      assertThat(recorded.kind(kind)).as(kind).isEqualTo("opened 500 lost 500");
      assertThat(recorded.last(kind).getLong("lostBytes")).isEqualTo(500 * TrackedProgram.BYTES);
    }
  }

  @Test
  void cleanups_runAndThrowAsWithoutTheAgent() throws Exception {
    List<String> stock = ordered(jvm());
    assertThat(stock)
        .contains("ofConfined cleans 4", "suppressed " + new IllegalStateException("cleanup 1"));
    assertThat(ordered(jvm().and(AgentJvm.agent("level=full")))).isEqualTo(stock);
  }

  private static List<String> ordered(ChildJvm jvm) throws Exception {
    return jvm.classPath(AgentJvm.classes())
        .and(ArenaProgram.class.getName(), "ordered", 1)
        .run()
        .out();
  }

  @Test
  void closeBetweenAnAllocationAndItsCount_countsItsBytesAsFreed(@TempDir Path folder)
      throws Exception {
    Recorded recorded =
        Recorded.run(
            folder,
            jvm().and("--add-opens", "java.base/jdk.internal.foreign=ALL-UNNAMED"),
            ArenaProgram.class,
            "level=full",
            "late",
            1);
    assertThat(recorded.kind("arena.shared")).isEqualTo("opened 2 closed 1 open 1");
    assertThat(recorded.last("arena.shared").getLong("bytes")).isEqualTo(ArenaProgram.KEPT);
    assertThat(recorded.last("arena.shared").getLong("openedBytes"))
        .isEqualTo(ArenaProgram.KEPT + 1100);
    assertThat(recorded.siteBytes("arena.shared", "late"))
        .containsExactlyInAnyOrder(0L, ArenaProgram.KEPT);
  }

  @Test
  void fill_afterTheEnd_leavesNoBytes(@TempDir Path folder) throws Exception {
    Recorded recorded =
        Recorded.run(
            folder,
            jvm().and("--add-opens", "java.base/jdk.internal.foreign=ALL-UNNAMED"),
            ArenaProgram.class,
            "level=sample",
            "filled",
            1);
    assertThat(recorded.siteBytes("arena.shared" + Kind.FILLED_NAME, "filled")).containsExactly(0L);
  }

  @Test
  void closesThatRaceWithAllocations_leaveNoBytes(@TempDir Path folder) throws Exception {
    Recorded recorded = Recorded.run(folder, jvm(), ArenaProgram.class, "level=full", "raced", 200);
    assertThat(recorded.kind("arena.shared")).isEqualTo("opened 201 closed 200 open 1");
    assertThat(recorded.last("arena.shared").getLong("bytes")).isEqualTo(ArenaProgram.KEPT);
    assertThat(recorded.siteBytes("arena.shared", "raced"))
        .containsExactlyInAnyOrder(0L, ArenaProgram.KEPT);
  }
}
