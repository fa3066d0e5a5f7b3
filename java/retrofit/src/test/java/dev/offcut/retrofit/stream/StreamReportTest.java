package dev.offcut.retrofit.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class StreamReportTest {
  /** 1,000 walks of 10 frames; 30 samples of 100; all without a filter. */
  private static final long[] DEEP = {1000, 10_000, 30, 3000, 1000, 0, 1000, 0, 0, 3000, 0};

  /** 2,000 walks of 5 frames; 10 samples of 5; half of them without a filter. */
  private static final long[] FLAT = {2000, 10_000, 10, 50, 1000, 2640, 0, 0, 0, 0, 0};

  private static StreamReport report(Map<String, long[]> sites, Set<String> classes) {
    return new StreamReport(new long[] {3000, 4000, 80}, 100, null, sites, classes);
  }

  @Test
  void lines_ofTwoPlaces_addUpWithTheMostExpensiveFirst() {
    Map<String, long[]> sites = Map.of("a.Flat.read", FLAT, "b.Deep.read", DEEP);
    // 4,000 saved in 40 samples: 100 each. Deep: 3,000 of 100 + 100 * 19 ns, Flat: 1,000 of 195.
    assertThat(report(sites, Set.of()).lines())
        .containsExactly(
            "walks    3,000 done",
            "saved    4,000, 57 %, about 6.2 ms of CPU",
            "verified 80, 1 in 100",
            "mismatch none",
            "filter   missing in 2,000 reads",
            "",
            "Call sites of reads, the most expensive first. A column right of the bar is the",
            "share of the walks, done and saved, that pass as many JDK frames as its heading says.",
            "walks  saved  CPU left  CPU saved  no filter  |    0-7  8-15  16-31  32-63  64-127"
                + "  128+  call site",
            "1,000  3,000    0.3 ms     6.0 ms      1,000  |    0 %  25 %    0 %    0 %    75 %"
                + "   0 %  b.Deep.read",
            "2,000  1,000    0.4 ms     0.2 ms      1,000  |  100 %   0 %    0 %    0 %     0 %"
                + "   0 %  a.Flat.read");
  }

  @Test
  void lines_ofMorePlacesThanOneReads_sayHowManyAreLeftOut() {
    Map<String, long[]> sites = new HashMap<>();
    for (int place = 0; place < 53; place++) {
      sites.put("place" + place, FLAT);
    }
    assertThat(report(sites, Set.of()).lines())
        .hasSize(8 + 1 + 50 + 1)
        .endsWith("and 3 more call sites");
  }

  @Test
  void lines_ofClasses_areAFilter() {
    assertThat(report(Map.of(), new TreeSet<>(Set.of("a.B", "a.C$D"))).lines())
        .endsWith(
            "",
            "The 2 classes in these streams, as a filter that allows only them:",
            "a.B;a.C$D;!*");
  }

  @Test
  void lines_ofNothing_divideByNothing() {
    StreamReport report = new StreamReport(new long[3], 1, null, Map.of(), Set.of());
    assertThat(report.lines()).contains("saved    0, 0 %");
  }

  @Test
  void lines_withAMismatch_haveItsStack() {
    String mismatch = "the memo knew A, the walk found B\n    at x.Y.z(Y.java:1)";
    StreamReport report = new StreamReport(new long[] {1, 0, 1}, 1, mismatch, Map.of(), Set.of());
    assertThat(report.lines())
        .contains("mismatch the memo knew A, the walk found B", "    at x.Y.z(Y.java:1)");
  }

  @Test
  void head_hasACellForEachOfARow() {
    long[] figures = {2, 15, 2, 255, 1, 1, 1, 0, 0, 64, 64};
    assertThat(ReadSite.head())
        .hasSize(ReadSite.all(Map.of("p", figures), 2).get(0).cells().size());
  }

  @Test
  void places_withoutSamples_wereSavedNothing() {
    long[] figures = {1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    assertThat(ReadSite.all(Map.of("p", figures), 10))
        .isEqualTo(List.of(new ReadSite("p", 1, 1, 0, 0, 0, List.of(1L, 0L, 0L, 0L, 0L, 0L))));
  }
}
