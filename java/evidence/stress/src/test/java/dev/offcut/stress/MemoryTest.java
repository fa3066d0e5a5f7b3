package dev.offcut.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The net in a small heap: exhausted, filled with what was forgotten, flooded. */
class MemoryTest {
  static List<String> collectors() {
    return StressJvm.COLLECTORS;
  }

  @ParameterizedTest
  @EnumSource
  void operation_inAFullHeap_losesNothing(Scenario scenario) throws Exception {
    int rounds = StressJvm.LONG ? 40 : 2;
    List<String> lines =
        StressJvm.same()
            .with("-Xmx8m", "-XX:-UseTLAB", "-XX:+UseSerialGC")
            // The JVM makes frames of a walk by reflection. In a full heap it loses the code it
            // generated for that at each collection, and for minutes generates it again.
            .with("-Djdk.reflect.useNativeAccessorOnly=true")
            .run(600, Exhaustion.class, scenario, rounds, StressJvm.SEED);
    assertThat(lines).contains("exactly once");
  }

  /**
   * Where {@code java.lang.ref.Cleaner} finds its way, handles and drop-in do, too: the JDK's is
   * the control.
   */
  @ParameterizedTest
  @MethodSource("collectors")
  void forgottenHandles_thatReachMuchHeap_doNotExhaustIt(String collector) throws Exception {
    List<String> kinds = new ArrayList<>(List.of("handle", "drop-in"));
    if (StressJvm.LONG) {
      kinds.addAll(List.of("drop-in-own", "jdk"));
    }
    for (String kind : kinds) {
      StressJvm jvm = StressJvm.same().collector(collector);
      if (jvm.isPossible()) {
        int count = StressJvm.LONG ? 50_000 : 2_000;
        jvm.with("-Xmx64m").run(300, HeavyGraphs.class, kind, count, StressJvm.SEED);
      }
    }
  }

  /**
   * A look at a table in the middle of a concurrent marking keeps the table, and all that its
   * handles reach, until the next cycle. Here somebody looks all the time: the tables must be so
   * small that the rest suffices.
   */
  @Test
  void forgottenHandles_thatAreLookedAtDuringMarking_doNotExhaustTheHeap() throws Exception {
    StressJvm jvm = StressJvm.same().collector("Z");
    if (jvm.isPossible()) {
      jvm.with("-Xmx48m").run(300, HeavyGraphs.class, "handle", 6_000, StressJvm.SEED, "watched");
    }
  }

  /**
   * While the net walks a table, the table must stay the collector's to clear. Interpreted, the
   * walk takes long enough for the heap to fill meanwhile: one that keeps hold of the table fails
   * here each time.
   */
  @Test
  void forgottenHandles_inATableThatIsBeingWalked_doNotExhaustTheHeap() throws Exception {
    StressJvm.same()
        .with("-Xint", "-XX:+UseSerialGC", "-Xmx64m")
        .run(300, HeavyGraphs.class, "handle", 2_000, StressJvm.SEED);
  }

  @Test
  void flood_ofForgottenHandles_isHeldBackAndAllAreReleased() throws Exception {
    int count = StressJvm.LONG ? 10_000_000 : 1_000_000;
    // A leak of 32 bytes a handle fills it.
    String heap = StressJvm.LONG ? "-Xmx256m" : "-Xmx32m";
    List<String> collectors = StressJvm.LONG ? StressJvm.COLLECTORS : List.of("G1", "Serial");
    for (String collector : collectors) {
      flood(collector, heap, "exact", count, 1);
      if (StressJvm.LONG) {
        flood(collector, heap, "exact", count, 2);
      }
    }
  }

  /**
   * A releaser that takes longer than an opening by orders of magnitude. What is forgotten must
   * wait outside of the heap: in openers that wait.
   */
  @Test
  void flood_thatIsReleasedSlowly_isHeldBackAndAllAreReleased() throws Exception {
    StressJvm.same()
        .with("-Xmx12m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        .run(300, Flood.class, "slow", 400_000, 1, 10);
    if (StressJvm.LONG) {
      StressJvm.same()
          .with("-Xmx64m", "-XX:MaxDirectMemorySize=256m")
          .run(2 * 3600, Flood.class, "slow", 10_000_000, 1, 100);
    }
  }

  private static void flood(String collector, String heap, String kind, int count, int threads)
      throws Exception {
    StressJvm jvm = StressJvm.same().collector(collector);
    if (jvm.isPossible()) {
      jvm.with(heap).run(400, Flood.class, kind, count, threads);
    }
  }
}
