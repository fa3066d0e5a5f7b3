package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.Tracking;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetCopiesTest {
  private static final long BEGAN = 1_790_000_000_000L;

  @ParameterizedTest
  @ValueSource(longs = {1_000, 600_000, Long.MAX_VALUE - 1, Long.MAX_VALUE})
  void isDue_beforeItsTime_isFalse(long everyMillis) {
    FleetCopies copies =
        new FleetCopies(new Tracking.Fleet("f", "s", "1", null, everyMillis), 1, BEGAN);
    assertThat(copies.isDue(BEGAN)).isFalse();
    assertThat(copies.isDue(BEGAN + 999)).isFalse();
    assertThat(copies.isDue(BEGAN + 600_000)).isEqualTo(everyMillis <= 600_000);
  }
}
