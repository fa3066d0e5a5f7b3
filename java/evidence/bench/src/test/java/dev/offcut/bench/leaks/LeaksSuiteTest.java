package dev.offcut.bench.leaks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.Samples;
import dev.offcut.bench.Samples.Series;
import dev.offcut.bench.leaks.Finder.Seen;
import dev.offcut.bench.leaks.Finder.Verdict;
import dev.offcut.bench.leaks.Peers.AsyncProfiler;
import dev.offcut.bench.leaks.Peers.NmtDiff;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judges: each has an answer that it takes, and one beside it that it refuses. */
class LeaksSuiteTest {
  private static final Leak ITERATORS = Leak.named("rocks_iterators");
  private static final String RIGHT =
      finding("lost", "10,000 RocksIterator", "RocksIterators.java:49", 84_000_000);

  private final LeaksSuite suite = new LeaksSuite();

  private static String finding(String severity, String title, String line, long bytes) {
    return finding(severity, title, line, 0, bytes);
  }

  private static String finding(
      String severity, String title, String line, long count, long bytes) {
    return """
        {"severity": "%s", "kind": "closeable", "title": "%s", "text": "-", "count": %d,
         "where": "dev.offcut.leaks.A.b(%s)", "bytes": %d}
        """
        .formatted(severity, title, count, line, bytes);
  }

  private static Seen offcut(String... findings) throws IOException {
    return OffcutRun.judge(ITERATORS, "{\"findings\": [" + String.join(",", findings) + "]}");
  }

  @Test
  void cases_areThoseOfTheCollectionThatRunHere() {
    assertThat(suite.cases(false))
        .hasSize(49 - suite.leftOut().size() + Peers.missing().size())
        .extracting(Case::name)
        .doesNotHaveDuplicates();
    assertThat(suite.cases(true)).isNotEmpty().hasSizeLessThan(5);
  }

  @Test
  void offcut_rightFindingAndLineFirst_isFound() throws IOException {
    assertThat(offcut(RIGHT).verdict()).isEqualTo(Verdict.FOUND);
    assertThat(offcut(finding("cost", "", "", 0), RIGHT).verdict()).isEqualTo(Verdict.FOUND);
    String noPlace = RIGHT.replaceAll("\"where\": .*,", "\"where\": null,");
    assertThat(offcut(noPlace).verdict()).isEqualTo(Verdict.PARTLY);
    assertThat(offcut(noPlace.replace("\"-\"", "\"At RocksIterators.java:49.\"")).verdict())
        .isEqualTo(Verdict.FOUND);
  }

  @Test
  void offcut_somethingIsWrong_isPartlyFound() throws IOException {
    String iterators = "RocksIterator";
    String line = "RocksIterators.java:49";
    String mapped = finding("mapped", "files", "", 9_000_000);
    List<Seen> partly =
        List.of(
            offcut(mapped, RIGHT),
            offcut(finding("lost", iterators, "RocksIterators.java:48", 84_000_000)),
            offcut(finding("lost", iterators, "RocksIterators.java:4", 84_000_000)),
            offcut(finding("lost", "Options", line, 84_000_000)),
            offcut(finding("open", iterators, line, 84_000_000)),
            offcut(finding("lost", iterators, line, 8_000_000)),
            offcut(finding("lost", iterators, line, 9_000, 84_000_000)),
            offcut(finding("lost", iterators, line, 0)));
    assertThat(partly).extracting(Seen::verdict).containsOnly(Verdict.PARTLY);
  }

  @Test
  void offcut_otherFindingOrNone_isNotFound() throws IOException {
    assertThat(offcut(finding("mapped", "files", "A.java:1", 1)))
        .isEqualTo(new Seen(Verdict.NOT, 0, "MAPPED files (dev.offcut.leaks.A.b(A.java:1))"));
    assertThat(offcut(finding("cost", "", "", 1), finding("kept", "", "", 1)))
        .isEqualTo(Seen.NOTHING);
    assertThat(offcut()).isEqualTo(Seen.NOTHING);
  }

  @Test
  void offcut_noteIsTheTruth_isFoundAndNoAlarm() throws IOException {
    Leak heap = Leak.named("heap_kept");
    String note = finding("note", "free Java heap", "", 350_000_000);
    assertThat(OffcutRun.judge(heap, "{\"findings\": [" + note + "]}"))
        .isEqualTo(Seen.of(Verdict.FOUND, 0));
  }

  @Test
  void fixed_asMuchAtTheSamePlace_isAFalseAlarm() {
    Seen broken = Seen.of(Verdict.FOUND, 80_000_000);
    assertThat(Seen.of(Verdict.FOUND, 40_000_000).isFalseAlarm(broken)).isTrue();
    assertThat(Seen.of(Verdict.FOUND, 39_000_000).isFalseAlarm(broken)).isFalse();
    assertThat(Seen.of(Verdict.FOUND, 1_000).isFalseAlarm(Seen.NOTHING)).isFalse();
    assertThat(new Seen(Verdict.NOT, 0, "KEPT").isFalseAlarm(broken)).isTrue();
  }

  @Test
  void asyncProfiler_innermostLineOfTheProgram_isRanked() {
    String right = "java/A.b:1_[0];dev/offcut/leaks/RocksIterators.leaking:49_[j];org/X.y:2_[j] ";
    String other = "dev/offcut/leaks/RocksIterators.main:22_[j];org/X.z:3_[j] ";
    assertThat(AsyncProfiler.judge(ITERATORS, List.of(right + 900, other + 100)))
        .isEqualTo(Seen.of(Verdict.FOUND, 900));
    assertThat(AsyncProfiler.judge(ITERATORS, List.of(right + 100, other + 900)))
        .isEqualTo(Seen.of(Verdict.PARTLY, 100));
    assertThat(AsyncProfiler.judge(ITERATORS, List.of(other + 900, "org/X.y:2_[j] 9000")))
        .isEqualTo(Seen.NOTHING);
  }

  @Test
  void nmt_categoryThatGrewMost_isPartlyFoundAtBest() {
    Leak direct = Leak.named("djl_arrays");
    String other = "-                     Other (reserved=98304KB +%dKB, committed=98304KB +%dKB)";
    String code = "-                      Code (reserved=9KB +5KB, committed=9KB +50000KB)";
    assertThat(NmtDiff.judge(direct, List.of(code, String.format(other, 96_000, 96_000))))
        .isEqualTo(Seen.of(Verdict.PARTLY, 96_000L << 10));
    assertThat(NmtDiff.judge(direct, List.of(code, String.format(other, 9, 9))))
        .isEqualTo(Seen.NOTHING);
  }

  @Test
  void total_ofAllLeaks_countsThem() {
    Samples samples = new Samples();
    for (Leak leak : Leak.all()) {
      boolean isPartly = leak.equals(ITERATORS);
      samples.add(new Series(leak.name(), "offcut", 1, "found"), 0, isPartly ? 0.5 : 1, "share");
    }
    suite.total(samples);
    assertThat(samples.of(new Series("all", "offcut", 1, "found"))).containsValue(48.0);
  }

  @Test
  void table_countsWhatEachToolFound() {
    Samples samples = new Samples();
    samples.add(new Series("rocks_iterators", "offcut", 1, "found"), 0, 1, "share");
    samples.add(new Series("rocks_caches", "offcut", 1, "found"), 0, 0, "share");
    samples.add(new Series("rocks_caches", "offcut", 1, "false_alarm"), 0, 1, "alarms");
    samples.add(new Series("rocks_caches", "async-profiler", 1, "found"), 0, 1, "share");
    assertThat(LeaksTable.of(samples))
        .containsExactly(
            List.of("leak", "expected", "offcut", "async-profiler"),
            List.of("rocks_iterators", "LOST", "found", ""),
            List.of("rocks_caches", "LOST", "not, false alarm", "found"),
            List.of("found", "", "1 of 2", "1 of 1"),
            List.of("partly", "", "0 of 2", "0 of 1"),
            List.of("false alarms", "", "1 of 2", "0 of 1"));
    assertThat(LeaksTable.of(new Samples())).isEmpty();
  }
}
