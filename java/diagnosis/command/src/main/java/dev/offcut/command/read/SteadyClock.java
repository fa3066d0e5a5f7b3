package dev.offcut.command.read;

import java.time.Clock;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * A clock that never steps: what the wall clock said when the command began, and what has passed
 * since. Programs that the command watches have such a clock, too, so times of both compare.
 */
public final class SteadyClock {
  private static final SteadyClock OWN = new SteadyClock(Clock.systemUTC(), System::nanoTime);

  private final Instant began;
  private final long beganNanos;
  private final LongSupplier nanoTime;

  SteadyClock(Clock wall, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    began = wall.instant();
    beganNanos = nanoTime.getAsLong();
  }

  public static Instant now() {
    return OWN.instant();
  }

  Instant instant() {
    return began.plusNanos(nanoTime.getAsLong() - beganNanos);
  }
}
