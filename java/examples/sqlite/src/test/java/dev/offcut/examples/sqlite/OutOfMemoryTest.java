package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The binding in a tiny heap. Without thread-local buffers, 16 bytes are 16 bytes. */
final class OutOfMemoryTest {
  private static final List<String> TINY = List.of("-Xmx12m", "-XX:+UseSerialGC", "-XX:-UseTLAB");

  @Test
  void openAndPrepare_inAFullHeap_loseNothing() throws Exception {
    ChildJvm.Result result = ChildJvm.run(TINY, OutOfMemoryProbe.class, "1");
    assertThat(result.out()).as(result.err()).startsWith("ok: ");
    assertThat(result.out()).doesNotContain("ok: 0 failed");
    assertThat(result.code()).isZero();
  }

  @Test
  void close_inAFullHeap_needsNoMemory() throws Exception {
    List<String> options = new ArrayList<>(TINY);
    options.add("-Xint");
    ChildJvm.Result result = ChildJvm.run(options, FullHeapProbe.class);
    assertThat(result.out()).as(result.err()).startsWith("ok");
    assertThat(result.code()).isZero();
  }
}
