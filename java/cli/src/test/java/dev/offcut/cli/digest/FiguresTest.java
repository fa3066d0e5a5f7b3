package dev.offcut.cli.digest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The agent's figures, which its own test has too, are the same. */
class FiguresTest {
  @Test
  void bytes_unit_growsWithTheSize() {
    assertThat(Figures.bytes(0)).isEqualTo("0 B");
    assertThat(Figures.bytes(1023)).isEqualTo("1023 B");
    assertThat(Figures.bytes(1024)).isEqualTo("1.0 KiB");
    assertThat(Figures.bytes(1024 * 1024 - 1)).isEqualTo("1.0 MiB");
    assertThat(Figures.bytes(5L << 40)).isEqualTo("5.0 TiB");
    assertThat(Figures.bytes(-(3L << 20))).isEqualTo("-3.0 MiB");
    assertThat(Figures.change(1 << 20)).isEqualTo("+1.0 MiB");
  }

  @Test
  void seconds_long_areAClock() {
    assertThat(Figures.seconds(12.34)).isEqualTo("12.3 s");
    assertThat(Figures.seconds(3_661)).isEqualTo("01:01:01");
  }

  @Test
  void estimate_isARangeWhereTheMarginIsImpossible() {
    assertThat(Figures.count(500, 243, 1_000)).isEqualTo("500 ± 243");
    assertThat(Figures.count(896, 243, 1_000)).isEqualTo("653 to 1,000");
    assertThat(Figures.count(104, 243, 1_000)).isEqualTo("0 to 347");
    assertThat(Figures.count(104, 2_000, 1_000)).isEqualTo("0 to 1,000");
    assertThat(Figures.count(1_000, 0, 1_000)).isEqualTo("1,000");
    assertThat(Figures.bytes(1 << 20, 1 << 20, 3 << 20)).isEqualTo("1.0 MiB ± 1.0 MiB");
    assertThat(Figures.bytes(1 << 20, 2 << 20, 2 << 20)).isEqualTo("0 B to 2.0 MiB");
  }
}
