package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;

/** What is told of Go programs, by rows as their packages publish them. */
class GoDigestTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000);
  private static final long MIB = 1L << 20;

  private final DigestBuilder builder = new DigestBuilder();

  private void take(String name, String names, Object... values) {
    builder.take(GivenFields.of(name, NOW, names, values));
  }

  private void program(String packages, long counts) {
    take(
        "offcut.GoProgram",
        "pid main arguments version packages counts",
        7L,
        "./server",
        "-v x",
        "go1.26.8",
        packages,
        counts);
  }

  private void handles(String level, long forgotten, long open) {
    take("offcut.HandleConfiguration", "level sampleEvery", level, 128L);
    String counts = "type opened forgotten open";
    take("offcut.HandleStatistics", counts, "image", forgotten + open, forgotten, open);
  }

  private void site(String line, long open, long bytes) {
    String stack = line + "\nmain.main(main.go:9)";
    take("offcut.HandleSite", "type site open bytes", "image", stack, open, bytes);
  }

  private void account(Account.Row... rows) {
    builder.accounts(new Accounts(List.of(new Taken(NOW, GivenAccount.of(rows), true))));
  }

  private Digest digest() {
    return builder.digest(true);
  }

  private Finding finding(Finding.Severity severity) {
    return digest().findings().stream()
        .filter(one -> one.severity() == severity)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void target_isAGoProgram() {
    handles("sample", 0, 1); // in whatever order the tables are
    program("handle", 1);
    String report = ReportText.of(digest(), false);
    assertThat(report).startsWith("./server, process 7, Go 1.26.8, 0.0 s, level sample (one stack");
    assertThat(report).doesNotContain("JVM", "JDK", "try-with-resources");
    assertThat(digest().coverage().watched()).containsExactly("handles of Offcut");
    assertThat(digest().coverage().unwatched()).contains("C memory without a handle");
    assertThat(report).contains("Nothing was lost or forgotten among the kinds that were tracked");
  }

  @Test
  void handles_forgotten_areAFinding() {
    program("handle,memory", 1);
    handles("count", 3, 0);
    Finding forgotten = finding(Finding.Severity.FORGOTTEN);
    assertThat(forgotten.title()).isEqualTo("3 of 3 image handles forgotten");
    assertThat(forgotten.text()).contains("defer the Close of each", "--level sample");
    assertThat(digest().leaks()).isNotEmpty();
  }

  @Test
  void handles_open_haveTheirLine() {
    program("handle", 1);
    handles("full", 0, 30);
    site("main.load(main.go:7)", 20, 0);
    site("main.other(main.go:8)", 10, 0);
    Finding open = finding(Finding.Severity.NOTE);
    assertThat(open.title()).isEqualTo("30 image handles are open");
    assertThat(open.text())
        .contains("Of those recorded, 20 were opened at main.load(main.go:7), others at 1 more");
    assertThat(open.at().frames()).first().isEqualTo("main.load(main.go:7)");
    assertThat(digest().leaks()).isEmpty();
  }

  @Test
  void handles_withMuchMemory_areOpen() {
    program("handle", 1);
    handles("full", 0, 2);
    site("main.load(main.go:7)", 2, 32 * MIB);
    account(new Account.Row(Part.GO_OBJECTS, "", 100 * MIB));
    Finding open = finding(Finding.Severity.OPEN);
    assertThat(open.title()).isEqualTo("2 image handles are open: at least 32.0 MiB");
    assertThat(open.bytes()).isEqualTo(32 * MIB);
    assertThat(digest().open()).isNotEmpty();
    assertThat(ReportText.of(digest(), false))
        .containsSubsequence(open.title(), "Offcut tracked ", " It did not track ")
        .doesNotContain("lost or forgotten");
  }

  @Test
  void pools_lostAndTheirArenas_areLeaks() {
    program("memory", 1);
    take("offcut.LostPool", "pool committed", "cache", 5 * MIB);
    take("offcut.PoolStatistics", "pool limit forgottenArenas", "scratch", Long.MAX_VALUE, 2L);
    assertThat(finding(Finding.Severity.LOST).title())
        .isEqualTo("the pool cache is lost: 5.0 MiB never freed");
    assertThat(finding(Finding.Severity.FORGOTTEN).title())
        .isEqualTo("2 arenas of the pool scratch forgotten");
    assertThat(ReportText.of(digest(), false)).doesNotContain("PiB");
  }

  /** Nobody looked, so nothing is clean. */
  @Test
  void uncounted_saysSoFirst() {
    program("example.com/server,example.com/other", 0);
    Digest digest = digest();
    assertThat(digest.coverage().watched()).isEmpty();
    assertThat(digest.limits()).hasSize(1).first().asString().contains("without Offcut's packages");
    assertThat(ReportText.of(digest, false))
        .contains("Nothing was counted, so nothing is known about leaks.")
        .doesNotContain("No lost or forgotten", "Nothing was lost", "level none");
  }

  @Test
  void watched_ofWhichTheProgramHasNone_saysSo() {
    handles("sample", 0, 0);
    program("handle,memory", 1);
    assertThat(digest().coverage().watched())
        .containsExactly("handles of Offcut (it opened none)", "pools of Offcut (none is open)");
  }

  @Test
  void uncounted_withTheModule_saysWhatThatMeans() {
    program("example.com/server,offcut.dev/go", 0);
    assertThat(digest().limits().getFirst())
        .contains("has Offcut's Go module, but published nothing");
  }

  @Test
  void end_untold_isALimit() {
    program("handle", 1);
    builder.noteEnd(false, Instant.parse("2026-11-27T01:02:03.4Z"));
    assertThat(digest().limits())
        .singleElement()
        .asString()
        .contains("did not say that it ended", "those of 2026-11-27T01:02:03Z");
  }

  @Test
  void end_told_isNoLimit() {
    program("handle", 1);
    builder.noteEnd(true, Instant.EPOCH);
    assertThat(digest().limits()).isEmpty();
  }

  @Test
  void end_ofNothingCounted_isNoFurtherLimit() {
    program("", 0);
    builder.noteEnd(false, Instant.EPOCH);
    assertThat(digest().limits()).hasSize(1);
  }

  @Test
  void end_byCrashOrPanic_pointsToGo() {
    program("handle", 1);
    assertThat(digest().withEnd(134, false).findings().getLast().text())
        .contains("the Go runtime wrote to stderr")
        .doesNotContain("hs_err");
    assertThat(digest().withEnd(2, false).findings().getLast().text())
        .contains("after a panic or a fatal error");
    assertThat(digest().withEnd(3, false).findings().getLast().text())
        .contains("covers what it did");
  }

  @Test
  void malloc_much_hasAdviceForGo() {
    program("handle", 1);
    account(
        new Account.Row(Part.GO_OBJECTS, "", 50 * MIB),
        new Account.Row(Part.MALLOC_USED, "", 50 * MIB),
        new Account.Row(Part.MALLOC_TRIMMABLE, "", 80 * MIB));
    assertThat(finding(Finding.Severity.OPEN).text())
        .contains("by cgo", "offcut.dev/go/cmemory")
        .doesNotContain("JVM", "NIO", "--native");
    assertThat(finding(Finding.Severity.OPEN).title()).contains("about 50.0 MiB");
    assertThat(finding(Finding.Severity.KEPT).text())
        .contains("malloc_trim")
        .doesNotContain("jcmd");
  }

  @Test
  void memory_withoutAccount_isAsTheRuntimeSays() {
    program("handle", 1);
    String figures = "objects unused free live goroutines limit";
    take("offcut.GoMemory", figures, 10 * MIB, MIB, MIB, 9 * MIB, 4L, 64 * MIB);
    take("offcut.ProcessMemory", "resident residentPeak", 100 * MIB, 120 * MIB);
    Digest.Memory memory = digest().memory();
    assertThat(memory.resident()).isEqualTo(100 * MIB);
    assertThat(memory.parts()).isEmpty();
    assertThat(memory.remarks())
        .containsExactly(
            "After the last collection 9.0 MiB of the Go heap were in use.",
            "4 goroutines exist. The Go runtime's memory limit is 64.0 MiB.");
  }
}
