package dev.offcut.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** In a JVM of its own: a request that gets memory of a closed pool ends that. */
class PoolClosesTest {
  private static final int SECONDS = StressJvm.LONG ? 120 : 4;

  @Test
  void close_duringEachPairOfOperations_leavesNoMemoryToThem() throws Exception {
    List<String> lines =
        StressJvm.same()
            .with("--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-XX:-CreateCoredumpOnCrash")
            .run(SECONDS + 120, PoolCloses.class, SECONDS, StressJvm.SEED);
    assertThat(lines).anyMatch(line -> line.startsWith("pairs: 78, pools closed: "));
  }
}
