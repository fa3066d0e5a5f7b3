package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.publish.Ledger.KindCounts;
import dev.offcut.agent.publish.Ledger.SiteCounts;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrackReportTest {
  private static KindCounts kind(String name, long closed, long collected, long lost) {
    return new KindCounts(
        name, closed + collected + lost, closed, collected, lost, 0, 0, 0, 0, 0, "full");
  }

  private static SiteCounts site(String kind, String at, long closed, long lost, long samples) {
    return new SiteCounts(kind, at, closed + lost, closed, 0, lost, 0, 0, samples);
  }

  @Test
  void scaled_placesOfAKind_addUpToWhatIsKnownOfIt() {
    List<SiteCounts> scaled =
        TrackReport.scaled(
            List.of(kind("arena", 6_000, 0, 2_000), kind("cleaner", 0, 0, 0)),
            List.of(
                site("arena", "known", 0, 64, 64),
                site("arena", "a", 4_100, 1_300, 100),
                site("arena", "b", 1_300, 172, 50)));
    assertThat(scaled).extracting(SiteCounts::frames).containsExactly("known", "a", "b");
    assertThat(scaled).extracting(SiteCounts::lost).containsExactly(64L, 1_710L, 226L);
    assertThat(scaled.stream().mapToLong(SiteCounts::closed).sum()).isEqualTo(6_000);
    assertThat(scaled).extracting(SiteCounts::isKnown).containsExactly(true, false, false);
  }

  /** What left no stack is at no place: those that are known do not get it. */
  @Test
  void scaled_whatIsKnown_staysAsItIs() {
    List<SiteCounts> sites = List.of(site("arena", "known", 10, 20, 30));
    assertThat(TrackReport.scaled(List.of(kind("arena", 10, 0, 500)), sites)).isEqualTo(sites);
  }
}
