package dev.offcut.retrofit.base.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StreamCountsTest {
  @Test
  void figures_ofASite_countByDepth() {
    StreamCounts.Walks site = new StreamCounts.Walks();
    site.walked(7, true);
    site.walked(8, false);
    site.saved(127, 64);
    site.saved(128, 64);
    assertThat(site.figures()).containsExactly(2, 15, 2, 255, 1, 1, 1, 0, 0, 64, 64);
  }
}
