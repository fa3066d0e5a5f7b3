package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.GivenFields;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StuckFindingsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String IMAGE = "a.Image.<init>(Image.java:7)";
  private static final String FINALIZE = "a.Session.finalize(Session.java:6)";

  /** Images have a finalizer, and direct buffers that it would drop. */
  private static List<Finding> findings(long waiting, String opened) {
    DigestBuilder builder = new DigestBuilder();
    take(builder, "offcut.AgentConfiguration", "level patched", "full", "buffer.direct");
    take(builder, "offcut.ProcessMemory", "resident", 300L << 20);
    String counts = "kind opened open bytes";
    Object[] buffers = {"buffer.direct", 1000L, 1000L, 250L << 20, opened};
    take(builder, "offcut.ResourceStatistics", counts, Arrays.copyOf(buffers, 4));
    take(builder, "offcut.ResourceSite", counts + " site", buffers);
    take(builder, "offcut.FinalizerClass", "type registered run", "a.Image", 1000L, 1L);
    take(
        builder,
        "offcut.StuckThread",
        "thread stack line since waiting",
        "Finalizer",
        "java.lang.Object.wait(Native Method)\n" + FINALIZE,
        1L,
        NOW.minusSeconds(14),
        waiting);
    Digest digest = builder.digest(true);
    return digest.findings();
  }

  private static void take(DigestBuilder to, String name, String names, Object... values) {
    to.take(GivenFields.of(name, NOW, names, values));
  }

  @Test
  void finalizerThread_isTheOneFindingOfWhatWaitsForIt() {
    List<Finding> all = findings(999, IMAGE);
    assertThat(all).hasSize(1);
    assertThat(all.getFirst().title())
        .isEqualTo(
            "the thread Finalizer has been in "
                + FINALIZE
                + " for 14.0 s; 999 objects wait behind it, with 250.0 MiB");
    assertThat(all.getFirst().isLeak()).isTrue();
    assertThat(all.getFirst().text()).contains("It is in java.lang.Object.wait(Native Method).");
  }

  @Test
  void whatHasNoFinalizer_doesNotWait() {
    List<Finding> all = findings(999, "a.Cache.fill(Cache.java:3)");
    assertThat(all.getFirst().title()).endsWith("999 objects wait behind it");
    assertThat(all.get(1).title()).startsWith("1,000 direct buffers open");
  }
}
