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
}
