package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

final class SumsTest {
  private static final long[] LONGS = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, 1L << 40, Long.MAX_VALUE - 1, Long.MAX_VALUE
  };

  private static long clamped(BigInteger exact) {
    return exact
        .max(BigInteger.valueOf(Long.MIN_VALUE))
        .min(BigInteger.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }

  @Test
  void sum_beyondALong_staysAtItsEnd() {
    for (long one : LONGS) {
      for (long other : LONGS) {
        BigInteger a = BigInteger.valueOf(one);
        BigInteger b = BigInteger.valueOf(other);
        assertThat(Sums.add(one, other)).as("%s + %s", a, b).isEqualTo(clamped(a.add(b)));
        assertThat(Sums.subtract(one, other)).as("%s - %s", a, b).isEqualTo(clamped(a.subtract(b)));
      }
    }
  }
}
