package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the Java heap is full what was taken is not lost, and to give back needs no memory. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FullHeapTest {
  @Test
  void operations_inAFullHeap_loseNothing() throws Exception {
    String seed = String.valueOf(System.nanoTime());
    ChildJvm.Ended ended =
        ChildJvm.run(
            List.of("-Xmx8m", "-XX:-UseTLAB", "-XX:+UseSerialGC"),
            FullHeapProgram.class,
            seed,
            "1");
    assertThat(ended.exitCode()).as("seed %s: %s", seed, ended.said()).isZero();
    assertThat(ended.said()).as("seed %s", seed).contains("lost 0");
  }
}
