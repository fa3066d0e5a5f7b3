package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.OthersLoad.Stat;
import java.util.List;
import org.junit.jupiter.api.Test;

class OthersLoadTest {
  @Test
  void stat_hasTasksThatRun_andTicksOfWhichSomeAreStolen() {
    Stat stat =
        Stat.of(
            List.of(
                "cpu  10 20 30 400 50 6 7 80 9 1",
                "cpu0 10 20 30 400 50 6 7 80 9 1",
                "ctxt 123",
                "procs_running 4",
                "procs_blocked 0"));
    assertThat(stat).isEqualTo(new Stat(4, 80, 603));
  }

  @Test
  void load_isTheMeanOfTheSamples_withWhatWasStolen() {
    List<Stat> stats = List.of(new Stat(1, 0, 1000), new Stat(3, 0, 1100), new Stat(2, 50, 1200));
    assertThat(OthersLoad.mean(2, stats.getFirst(), stats)).isEqualTo(1 + 2 * 50 / 200.0);
  }

  @Test
  void sample_ofThisMachine_isKnownOnLinux() {
    OthersLoad load = new OthersLoad();
    assertThat(load.load()).isNaN();
    load.sample();
    assertThat(load.load()).isGreaterThanOrEqualTo(0);
  }
}
