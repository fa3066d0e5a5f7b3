package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.GivenAccount;
import dev.offcut.command.read.GivenFields;
import dev.offcut.command.show.ReportText;
import dev.offcut.resident.Account;
import dev.offcut.resident.Part;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is told of allocators whose chunks are counted as another kind, too. */
class BufferPoolsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000);
  private static final long MIB = 1L << 20;
  private static final String BUFFERS = "io.netty.buffer.";
  private static final String ALLOCATOR = BUFFERS + "PooledByteBufAllocator";
  private static final String BUFFER = "closeable:" + BUFFERS + "PooledUnsafeDirectByteBuf";
  private static final String LINE = "com.acme.Server.read(Server.java:12)";
  private static final String OF_NETTY = BUFFERS + "PooledByteBufAllocator.x(P.java:1)\n";

  private final DigestBuilder builder = new DigestBuilder();

  private void take(String name, String names, Object... values) {
    builder.take(GivenFields.of(name, NOW, names, values));
  }

  private void pool(long kept, long used) {
    long usedBytes = used < 0 ? used : used * MIB;
    String figures = "pool allocators chunks kept used";
    take("offcut.BufferPool", figures, ALLOCATOR, 1L, 16L, kept * MIB, usedBytes);
  }

  private void resources(String kind, long lost, long open, long bytes) {
    long all = lost + open;
    String counts = "kind opened lost open bytes openedBytes";
    take("offcut.ResourceStatistics", counts, kind, all, lost, open, bytes, bytes);
    take(
        "offcut.ResourceSite",
        counts + " samples site line",
        kind,
        all,
        lost,
        open,
        bytes,
        bytes,
        all,
        OF_NETTY + LINE,
        OF_NETTY.lines().count());
  }

  /** Of 64 MiB in chunks. */
  private Digest digest(long lost, long open) {
    resources("buffer.direct", 0, 16, 64 * MIB);
    resources(BUFFER, lost, open, 0);
    take(
        "offcut.WatchedClass",
        "rule class state detail freedBy holds called advice",
        "Netty",
        BUFFER.substring(10),
        "counted",
        "",
        "nobody",
        "pool",
        "Netty buffer",
        "release");
    take("offcut.AgentConfiguration", "level version sampleEvery options", "full", "", 1L, "");
    Account account =
        GivenAccount.of(
            new Account.Row(Part.HEAP_USED, "", 20 * MIB),
            new Account.Row(Part.MALLOC_USED, "", 70 * MIB));
    builder.accounts(new Accounts(List.of(new Taken(NOW, account))));
    return builder.digest(true);
  }

  private static List<String> titles(Digest digest) {
    return digest.findings().stream()
        .map(finding -> finding.severity() + " " + finding.title())
        .toList();
  }

  @Test
  void pool_thatIsNearlyEmpty_isAFindingWithTheLineOfItsBuffers() {
    pool(64, 4);
    Digest digest = digest(0, 256);
    assertThat(titles(digest))
        .containsExactly(
            "POOLED Netty's PooledByteBufAllocator keeps 64.0 MiB in 16 chunks, 4.0 MiB of it in"
                + " buffers in use");
    Finding finding = digest.findings().getFirst();
    assertThat(finding.bytes()).isEqualTo(60 * MIB);
    assertThat(finding.text())
        .contains("256 buffers are not released. All of those sampled were allocated at " + LINE);
    assertThat(digest.sites().get(Objects.requireNonNull(finding.site())).kind()).isEqualTo(BUFFER);
    assertThat(ReportText.of(digest, false))
        .containsPattern(ALLOCATOR + " +1 +16 +64\\.0 MiB +4\\.0 MiB")
        .contains("keeps 64.0 MiB in 16 chunks, of which 4.0 MiB are in buffers in");
  }

  @Test
  void pool_thatIsInUse_saysHowMuchItsBuffersHold() {
    pool(64, 50);
    assertThat(titles(digest(0, 256)))
        .containsExactly(
            "OPEN 256 Netty buffers of Netty opened at Server.java:12 are open; most likely they hold"
                + " 50.0 MiB of the 64.0 MiB"
                + " that their pool keeps");
  }

  @Test
  void pool_whoseBuffersAreLost_isToldThere() {
    pool(64, 4);
    Digest digest = digest(20, 10);
    assertThat(digest.findings().getFirst().bytes()).isEqualTo(64 * MIB);
    assertThat(titles(digest))
        .containsExactly(
            "LOST 20 Netty buffers of Netty opened at Server.java:12 were never closed and can no"
                + " longer be closed; most likely they hold 4.0 MiB of the 64.0 MiB that their pool"
                + " keeps");
  }

  @Test
  void pool_ofWhichTheUseIsNotKnown_isToldAsBefore() {
    pool(64, -1);
    assertThat(titles(digest(0, 256)))
        .containsExactly(
            "OPEN 256 Netty buffers of Netty opened at Server.java:12 are open; most likely they hold"
                + " 64.0 MiB of direct buffers"
                + " in their pool");
  }

  @Test
  void pool_thatKeepsLittleOfBoth_leavesTheKindOpen() {
    pool(20, 12);
    assertThat(titles(digest(0, 256))).containsExactly("OPEN 16 direct buffers open: 64.0 MiB");
  }

  @Test
  void pool_thatHasNothingAnyMore_isNotThere() {
    pool(0, 0);
    Digest digest = digest(0, 0);
    assertThat(digest.bufferPools()).isEmpty();
    assertThat(digest.findings()).extracting(Finding::severity).doesNotContain(Severity.POOLED);
  }
}
