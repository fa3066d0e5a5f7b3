package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private static final Instant BEGIN = Instant.ofEpochSecond(1_000);

  @Test
  void series_ofAFirstSecondWithoutResident_knowsWhatThatKnew() {
    Timeline timeline = new Timeline();
    timeline.kind(BEGIN, "jna", 7);
    timeline.set(BEGIN, Timeline.HANDLES, 3);
    timeline.set(BEGIN.plusSeconds(1), Timeline.RESIDENT, 100);
    timeline.set(BEGIN.plusSeconds(1), Timeline.HANDLES, 4);
    Digest.Kind kind = new Digest.Kind("jna", 1, 0, 0, 0, 1, 7, 7, 7, 0);
    Series series = timeline.series(time -> time.getEpochSecond() - 1_000.0, List.of(kind));
    assertThat(series.time()).containsExactly(1.0);
    assertThat(series.resident()).containsExactly(100L);
    assertThat(series.kinds().getFirst().bytes()).containsExactly(7L);
    assertThat(series.handlesOpen()).containsExactly(4L);
  }

  /** What a collection closed while the program shut down is no fall of the program's own. */
  @Test
  void descriptors_areThoseUntilTheEndBegan() {
    Timeline timeline = new Timeline();
    timeline.set(BEGIN, Timeline.DESCRIPTORS, 100);
    timeline.set(BEGIN.plusSeconds(1), Timeline.DESCRIPTORS, 200);
    timeline.set(BEGIN.plusSeconds(2), Timeline.DESCRIPTORS, 7);
    assertThat(timeline.descriptors()).hasSize(3);
    timeline.endsAt(BEGIN.plusMillis(1_500));
    assertThat(timeline.descriptors()).extracting(GrowthRates.Point::bytes).endsWith(200L);
  }

  /** A row tells what there was until then, and rows come in any order. */
  @Test
  void series_ofSumsOfPauses_hasWhatLiesBetween() {
    Timeline timeline = new Timeline();
    timeline.paused(sum(3, 5, 9_000_000, "System.gc()"));
    timeline.paused(sum(1, 2, 3_000_000, "Allocation"));
    timeline.paused(sum(2, 2, 3_000_000, "Allocation"));
    assertThat(collections(timeline, 1_000))
        .containsExactly(
            new Series.Collection(1, 3, "Allocation", 2),
            new Series.Collection(3, 6, "System.gc()", 3));
    assertThat(collections(timeline, 900))
        .as("the agent came late")
        .containsExactly(new Series.Collection(103, 6, "System.gc()", 3));
  }

  /** Before the first collection, after it, and of a collector that does not say what it left. */
  @Test
  void heap_isWhatTheLastCollectionLeft_elseWhatIsInUse() {
    DigestBuilder builder = new DigestBuilder();
    builder.take(row(1, 0, 5L << 20, -1));
    assertThat(builder.digest(true).memory().remarks())
        .containsExactly(
            "5.0 MiB of the Java heap were in use, garbage included; it was not collected yet.");
    builder.take(row(2, 3, 9L << 20, -1));
    assertThat(builder.digest(true).memory().remarks())
        .containsExactly("9.0 MiB of the Java heap were in use, garbage included.");
    builder.take(row(3, 4, 8L << 20, 6L << 20));
    Digest digest = builder.digest(true);
    assertThat(digest.memory().remarks())
        .containsExactly("After the last collection 6.0 MiB of the Java heap were in use.");
    assertThat(digest.series().heapUsed()).containsExactly(5L << 20, 9L << 20, 8L << 20);
    assertThat(digest.series().heapAfter()).containsExactly(null, null, 6L << 20);
  }

  private static GivenFields row(long second, long pauses, long used, long after) {
    return new GivenFields(
        "offcut.Series",
        BEGIN.plusSeconds(second),
        Map.of("pauses", pauses, "heapUsed", used, "heapAfter", after));
  }

  private static List<Series.Collection> collections(Timeline timeline, long began) {
    return timeline.series(time -> time.getEpochSecond() - began, List.of()).gc();
  }

  private static GivenFields sum(long second, long count, long nanos, String cause) {
    return new GivenFields(
        "offcut.Series",
        BEGIN.plusSeconds(second),
        Map.of("pauses", count, "pauseNanos", nanos, "pauseCause", cause));
  }
}
