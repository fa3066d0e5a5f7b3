package dev.offcut.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.offcut.replay.space.Policy;
import dev.offcut.replay.space.Space.Usage;
import dev.offcut.replay.space.Words;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayTest {
  private static Result example2(String policy, int survivors) {
    Policy known = Objects.requireNonNull(Policy.named(policy));
    try (Replay replay = new Replay(known, Replay.CLASS_SPACE_BYTES, survivors)) {
      return replay.run();
    }
  }

  @Test
  void example2_fixed_isFullAtFortyPercent() {
    Result result = example2("fixed", 0);
    assertThat(result.large()).isBetween(784, 800);
    Usage usage = result.last().classSpace().usage();
    assertThat(usage.percent(usage.handedOut())).isCloseTo(41, within(0.5));
  }

  @Test
  void example2_coalescing_usesNearlyAll() {
    Result result = example2("coalescing", 0);
    assertThat(result.large()).isGreaterThanOrEqualTo(2820);
    Usage usage = result.last().classSpace().usage();
    assertThat(usage.percent(usage.handedOut())).isGreaterThan(99);
    assertThat(Words.toBytes(usage.alignmentMax())).isLessThanOrEqualTo(64 << 10);
  }

  @Test
  void example2_buddy_usesAll() {
    Result result = example2("buddy", 0);
    assertThat(result.large()).isGreaterThanOrEqualTo(2900);
    Usage usage = result.last().classSpace().usage();
    assertThat(usage.percent(usage.handedOut())).isGreaterThanOrEqualTo(99);
  }

  @ParameterizedTest
  @CsvSource({"100, 2860", "32, 2830", "16, 2600", "8, 2250"})
  void example2_survivors_costThePoolLittle(int survivors, int atLeast) {
    assertThat(example2("buddy", survivors).large()).isGreaterThanOrEqualTo(atLeast);
  }

  /** One survivor in sixteen small chunks to a medium one leaves nothing to coalesce. */
  @ParameterizedTest
  @CsvSource({
    "fixed, 100, 792",
    "fixed, 8, 792",
    "coalescing, 100, 2519",
    "coalescing, 32, 1815",
    "coalescing, 16, 792",
    "coalescing, 8, 792"
  })
  void example2_survivors_blockCoalescing(String policy, int survivors, int classes) {
    assertThat(example2(policy, survivors).large()).isEqualTo(classes);
  }
}
