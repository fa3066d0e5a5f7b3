package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import org.junit.jupiter.api.Test;

/**
 * The binding in a tiny heap. Without thread-local buffers, 16 bytes are 16 bytes. A JVM that a
 * tool attaches to when its heap is full says so on stdout, so none may.
 */
final class OutOfMemoryTest {
  private static ChildJvm tiny() {
    return MainTest.jvm("-Xmx12m", "-XX:-UseTLAB", "-XX:+DisableAttachMechanism");
  }

  @Test
  void openAndPrepare_inAFullHeap_loseNothing() throws Exception {
    ChildJvm.Output result = tiny().program(OutOfMemoryProbe.class, 1).runToAnyEnd();
    assertThat(result.outText()).as(result.errText()).startsWith("ok: ");
    assertThat(result.outText()).doesNotContain("ok: 0 failed");
    assertThat(result.exitCode()).isZero();
  }
}
