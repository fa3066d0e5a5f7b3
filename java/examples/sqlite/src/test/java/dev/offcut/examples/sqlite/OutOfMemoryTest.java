package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link OutOfMemoryProbe} in a tiny heap. Without thread-local buffers, 16 bytes are 16 bytes. */
final class OutOfMemoryTest {
  @Test
  void openAndPrepare_inAFullHeap_loseNothing() throws Exception {
    List<String> options = List.of("-Xmx12m", "-XX:+UseSerialGC", "-XX:-UseTLAB");
    ChildJvm.Result result = ChildJvm.run(options, OutOfMemoryProbe.class, "1");
    assertThat(result.out()).as(result.err()).startsWith("ok: ");
    assertThat(result.out()).doesNotContain("ok: 0 failed");
    assertThat(result.code()).isZero();
  }
}
