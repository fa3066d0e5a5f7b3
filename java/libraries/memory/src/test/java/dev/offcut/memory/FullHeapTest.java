package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the Java heap is full what was taken is not lost. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FullHeapTest {
  @Test
  void operations_inAFullHeap_loseNothing() throws Exception {
    String seed = String.valueOf(System.nanoTime());
    ChildJvm.Output ended =
        ChildJvm.with(
                "--enable-native-access=ALL-UNNAMED", "-Xmx6m", "-XX:-UseTLAB", "-XX:+UseSerialGC")
            .program(FullHeapProgram.class, seed, 1)
            .runToAnyEnd();
    assertThat(ended.exitCode()).as("seed %s: %s", seed, ended.text()).isZero();
    assertThat(ended.text()).as("seed %s", seed).contains("lost 0");
  }
}
