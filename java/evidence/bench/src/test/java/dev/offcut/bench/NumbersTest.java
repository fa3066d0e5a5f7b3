package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NumbersTest {
  @Test
  void exact_keepsSixDigitsWithoutAnExponent() {
    assertThat(Numbers.exact(6.123456789)).hasToString("6.12346");
    assertThat(Numbers.exact(1_000_000).toPlainString()).isEqualTo("1000000");
    assertThat(Numbers.exact(0)).hasToString("0");
  }

  @Test
  void brief_keepsThreeDigits_andTheSpreadItsPlaces() {
    assertThat(Numbers.brief(0.123456)).isEqualTo("0.123");
    assertThat(Numbers.brief(2)).isEqualTo("2");
    assertThat(Numbers.brief(47.25, 0.123)).isEqualTo("47.3 ±0.2");
    assertThat(Numbers.brief(1234.5, 30.2)).isEqualTo("1235 ±31");
    assertThat(Numbers.brief(96, 0.000001)).isEqualTo("96");
  }
}
