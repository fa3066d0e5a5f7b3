package dev.offcut.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.handle.Handle;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything at once under each collector: opened = closed + forgotten, never twice, never lost.
 */
class GcRaceTest {
  private static final int SECONDS = StressJvm.LONG ? 30 : 2;
  private static final int LINES = StressJvm.LONG ? 20_000_000 : 2_000_000;

  static List<String> collectors() {
    return StressJvm.COLLECTORS;
  }

  @ParameterizedTest
  @MethodSource("collectors")
  void race_underACollector_releasesEachValueOnce(String collector) throws Exception {
    race(StressJvm.same().collector(collector));
  }

  @Test
  void race_interpreted_releasesEachValueOnce() throws Exception {
    race(StressJvm.same().with("-Xint"));
  }

  /** Finds in seconds what the scheduler alone lets happen once in thousands of runs. */
  @ParameterizedTest
  @ValueSource(strings = {"program", "net"})
  void race_withThreadsStoppedBetweenAnyTwoStores_releasesEachValueOnce(
      String stopped, @TempDir Path folder) throws Exception {
    Delayed.copy(Handle.class, folder);
    race(
        StressJvm.same()
            .ahead(folder)
            .with("-Ddelay=" + stopped, "-Djdk.virtualThreadScheduler.parallelism=32")
            .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
  }

  @Test
  void race_withManyTiersAndInlining_releasesEachValueOnce() throws Exception {
    if (StressJvm.LONG) {
      race(StressJvm.same().with("-XX:-TieredCompilation"));
      race(StressJvm.same().with("-XX:TieredStopAtLevel=1"));
      race(StressJvm.same().with("-XX:-UseCompressedOops"));
      race(StressJvm.same().with("-XX:+UseCompactObjectHeaders"));
    } else {
      race(StressJvm.same().with("-XX:TieredStopAtLevel=1"));
    }
  }

  @Test
  void race_onJava17_releasesEachValueOnce() throws Exception {
    List<String> collectors = StressJvm.LONG ? StressJvm.COLLECTORS : List.of("G1");
    for (String collector : collectors) {
      var java17 = StressJvm.java17();
      if (java17.isPresent()) {
        race(java17.get().collector(collector));
      } else {
        System.out.println("no JDK 17 found: OFFCUT_JAVA17_HOME names one");
      }
    }
  }

  private static void race(StressJvm jvm) throws Exception {
    if (!jvm.isPossible()) {
      System.out.println("not in this JDK: " + jvm);
      return;
    }
    List<String> lines =
        jvm.with("-Xmx256m").run(SECONDS + 120, GcRace.class, SECONDS, LINES, StressJvm.SEED);
    assertThat(lines).contains("exactly once");
  }
}
