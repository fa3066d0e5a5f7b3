package dev.offcut.stress;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that misbehave, and programs at the end of their stack. */
class FaultsTest {
  @ParameterizedTest
  @ValueSource(strings = {"interrupts", "locked"})
  void fault_inAProgram_stopsNothing(String fault) throws Exception {
    StressJvm.same()
        .with("-Xmx256m", "-Doffcut.handle.hangMillis=200")
        .run(600, Faults.class, fault);
  }

  /**
   * The stack of a program ends inside of each operation. Interpreted it ends at each call;
   * compiled, frames are larger and others.
   */
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1"})
  void overflow_atAnyDepth_leavesTheNetAlive(String mode) throws Exception {
    int rounds = StressJvm.LONG ? 24 : 1;
    List<String> heaps = StressJvm.LONG ? List.of("-Xmx100m", "-Xmx300m") : List.of("-Xmx100m");
    for (String heap : heaps) {
      StressJvm.same().with(mode, heap, "-XX:+UseSerialGC").run(300, StackEnd.class, rounds);
    }
  }
}
