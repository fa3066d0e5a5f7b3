package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.GivenFields;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StuckFindingsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String IMAGE = "a.Image.<init>(Image.java:7)";
  private static final String FINALIZE = "a.Session.finalize(Session.java:6)";

  /** Images have a finalizer, and direct buffers that it would drop. */
  private static List<Finding> findings(long waiting, String opened) {
    DigestBuilder builder = new DigestBuilder();
    builder.take(
        new GivenFields(
            "offcut.AgentConfiguration", NOW, Map.of("level", "full", "patched", "buffer.direct")));
    builder.take(new GivenFields("offcut.ProcessMemory", NOW, Map.of("resident", 300L << 20)));
    builder.take(
        new GivenFields(
            "offcut.ResourceStatistics",
            NOW,
            Map.of("kind", "buffer.direct", "opened", 1000L, "open", 1000L, "bytes", 250L << 20)));
    builder.take(
        new GivenFields(
            "offcut.ResourceSite",
            NOW,
            Map.of(
                "kind",
                "buffer.direct",
                "site",
                opened,
                "opened",
                1000L,
                "open",
                1000L,
                "bytes",
                250L << 20)));
    builder.take(
        new GivenFields(
            "offcut.FinalizerClass",
            NOW,
            Map.of("type", "a.Image", "registered", 1000L, "run", 1L)));
    builder.take(
        new GivenFields(
            "offcut.StuckThread",
            NOW,
            Map.of(
                "thread",
                "Finalizer",
                "stack",
                "java.lang.Object.wait(Native Method)\n" + FINALIZE,
                "line",
                1L,
                "since",
                NOW.minusSeconds(14),
                "waiting",
                waiting)));
    Digest digest = builder.digest(true);
    return digest.findings();
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
