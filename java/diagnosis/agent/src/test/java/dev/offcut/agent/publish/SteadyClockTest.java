package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteadyClockTest {
  private static final long BEGAN_MILLIS = 1_790_000_000_000L;
  private static final long HOUR_MILLIS = 3_600_000;

  /** These are set by tests. Static, since a clock looks at them while it is made. */
  private static long wall = BEGAN_MILLIS;

  private static long nanos = 5;

  @ParameterizedTest
  @ValueSource(longs = {-HOUR_MILLIS, 0, HOUR_MILLIS})
  void millis_whenTheWallClockSteps_areWhatPassed(long step) {
    wall = BEGAN_MILLIS;
    nanos = Long.MAX_VALUE - 1; // it may overflow
    SteadyClock clock =
        new SteadyClock() {
          @Override
          long wallMillis() {
            return wall;
          }

          @Override
          long nanoTime() {
            return nanos;
          }
        };
    assertThat(clock.millis()).isEqualTo(BEGAN_MILLIS);
    nanos += 15_000_000_000L;
    wall += 15_000 + step;
    assertThat(clock.millis()).isEqualTo(BEGAN_MILLIS + 15_000);
  }
}
