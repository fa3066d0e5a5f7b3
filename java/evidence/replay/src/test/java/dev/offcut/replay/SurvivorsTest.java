package dev.offcut.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.replay.Replay.Survivors;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SurvivorsTest {
  private static List<Boolean> spared(int every, int closes) {
    Survivors survivors = new Survivors(every);
    return IntStream.range(0, closes).mapToObj(close -> survivors.spares()).toList();
  }

  @Test
  void spares_everyThird_isTheThirdAndTheSixth() {
    assertThat(spared(3, 7)).containsExactly(false, false, true, false, false, true, false);
  }

  @Test
  void spares_none_isNeverTrue() {
    assertThat(spared(0, 3)).containsOnly(false);
    assertThat(spared(1, 3)).containsOnly(true);
  }
}
