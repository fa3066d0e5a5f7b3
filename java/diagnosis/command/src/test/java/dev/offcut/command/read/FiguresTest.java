package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.SplittableRandom;
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
  void figures_any_areAsTheFormatterHasThem() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      long number = random.nextLong() >> random.nextInt(64);
      assertThat(Figures.count(number)).isEqualTo(formatted("%,d", number));
      long bytes = random.nextLong(1024, 1 << 20);
      String size =
          bytes < 1023.95 * 1024
              ? formatted("%,.1f KiB", bytes / 1024.0)
              : formatted("%,.1f MiB", bytes / 1024.0 / 1024);
      assertThat(Figures.bytes(bytes)).as("seed %d", seed).isEqualTo(size);
      assertThat(Figures.bytes(-bytes)).isEqualTo("-" + size);
      double seconds = random.nextInt(120_000) / 1000.0;
      assertThat(Figures.seconds(seconds)).isEqualTo(formatted("%.1f s", seconds));
      long part = random.nextLong(1000);
      assertThat(Figures.percent(part, 1000)).isEqualTo(formatted("%.0f %%", part / 10.0));
    }
    assertThat(Figures.bytes(Long.MAX_VALUE)).isEqualTo("8,192.0 PiB");
    assertThat(Figures.count(Long.MIN_VALUE)).isEqualTo("-9,223,372,036,854,775,808");
  }

  private static String formatted(String format, Object figure) {
    return String.format(Locale.ROOT, format, figure);
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
    assertThat(Figures.count(104, 243, 1_000)).isEqualTo("1 to 347");
    assertThat(Figures.count(104, 2_000, 1_000)).isEqualTo("1 to 1,000");
    assertThat(Figures.count(1_000, 0, 1_000)).isEqualTo("1,000");
    assertThat(Figures.bytes(1 << 20, 1 << 20, 3 << 20)).isEqualTo("1.0 MiB ± 1.0 MiB");
    assertThat(Figures.bytes(1 << 20, 2 << 20, 2 << 20)).isEqualTo("0 B to 2.0 MiB");
  }
}
