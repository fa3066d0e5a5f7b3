package dev.offcut.cli.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private static final Instant BEGIN = Instant.ofEpochSecond(1_000);

  @Test
  void series_ofAFirstSecondWithoutResident_knowsWhatThatKnew() {
    Timeline timeline = new Timeline();
    timeline.kind(BEGIN, "jna", 7);
    timeline.handles(BEGIN, 3);
    timeline.resident(BEGIN.plusSeconds(1), 100);
    timeline.handles(BEGIN.plusSeconds(1), 4);
    Digest.Kind kind = new Digest.Kind("jna", 1, 0, 0, 0, 1, 7, 7, 7, 0);
    Digest.Series series = timeline.series(time -> time.getEpochSecond() - 1_000.0, List.of(kind));
    assertThat(series.time()).containsExactly(1.0);
    assertThat(series.resident()).containsExactly(100L);
    assertThat(series.kinds().getFirst().bytes()).containsExactly(7L);
    assertThat(series.handlesOpen()).containsExactly(4L);
  }

  /** A row tells what there was until then, and rows come in any order. */
  @Test
  void series_ofSumsOfPauses_hasWhatLiesBetween() {
    Timeline timeline = new Timeline();
    timeline.paused(new Sum(BEGIN.plusSeconds(3), 5, 9_000_000, "System.gc()"));
    timeline.paused(new Sum(BEGIN.plusSeconds(1), 2, 3_000_000, "Allocation"));
    timeline.paused(new Sum(BEGIN.plusSeconds(2), 2, 3_000_000, "Allocation"));
    assertThat(collections(timeline, 1_000))
        .containsExactly(
            new Digest.Collection(1, 3, "Allocation", 2),
            new Digest.Collection(3, 6, "System.gc()", 3));
    assertThat(collections(timeline, 900))
        .as("the agent came late")
        .containsExactly(new Digest.Collection(103, 6, "System.gc()", 3));
  }

  private static List<Digest.Collection> collections(Timeline timeline, long began) {
    return timeline.series(time -> time.getEpochSecond() - began, List.of()).gc();
  }

  private record Sum(Instant time, long count, long nanos, String cause) implements Fields {
    @Override
    public String name() {
      return "offcut.Series";
    }

    @Override
    public long copy() {
      return 0;
    }

    @Override
    public boolean has(String field) {
      return true;
    }

    @Override
    public long number(String field, long otherwise) {
      return field.equals("pauses") ? count : nanos;
    }

    @Override
    public String text(String field) {
      return cause;
    }

    @Override
    public Instant instant(String field) {
      return time;
    }

    @Override
    public double millis(String field) {
      return 0;
    }

    @Override
    public List<String> stack() {
      return List.of();
    }
  }
}
