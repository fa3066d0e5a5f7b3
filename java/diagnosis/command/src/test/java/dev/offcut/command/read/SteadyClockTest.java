package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteadyClockTest {
  private static final Instant BEGAN = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @ValueSource(longs = {-3600, 0, 3600})
  void instant_whenTheWallClockSteps_isWhatPassed(long step) {
    AtomicReference<Instant> wall = new AtomicReference<>(BEGAN);
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1); // it may overflow
    Clock stepping = ((InstantSource) wall::get).withZone(ZoneOffset.UTC);
    SteadyClock clock = new SteadyClock(stepping, nanos::get);
    assertThat(clock.instant()).isEqualTo(BEGAN);
    nanos.addAndGet(Duration.ofSeconds(15).toNanos());
    wall.set(BEGAN.plusSeconds(15 + step));
    assertThat(clock.instant()).isEqualTo(BEGAN.plusSeconds(15));
  }
}
