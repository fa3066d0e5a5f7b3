package dev.offcut.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SizesTest {
  @Test
  void webSocket_drawn_hasTheMeanAndTheQuarterOfThePattern() {
    int[] sizes = Sizes.named("web-socket");
    assertThat(Integer.bitCount(sizes.length)).isOne();
    assertThat(Arrays.stream(sizes)).allMatch(size -> size >= 9 && size <= 16863);
    assertThat(Arrays.stream(sizes).average().orElseThrow()).isBetween(2430.0, 2630.0);
    assertThat((double) Arrays.stream(sizes).filter(size -> size == 256).count() / sizes.length)
        .isBetween(0.23, 0.25);
  }

  @Test
  void uniform_drawn_reachesBothEnds() {
    int[] sizes = Sizes.uniform(8, 1000);
    assertThat(Arrays.stream(sizes).min()).hasValue(8);
    assertThat(Arrays.stream(sizes).max()).hasValue(1000);
    assertThat(Integer.bitCount(sizes.length)).isOne();
  }

  @Test
  void named_number_isThatSize() {
    assertThat(Sizes.named("4096")).containsExactly(4096);
  }
}
