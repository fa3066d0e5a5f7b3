package dev.offcut.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.results.BarsPicture.Picture;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassSpaceMapsTest {
  private final List<Picture> maps = ClassSpaceMaps.all();

  @Test
  void all_captions_sayWhenClassSpaceWasOut() {
    assertThat(maps)
        .extracting(Picture::caption)
        .containsExactly(
            "fixed: out of class space after 792 large classes, 41 % handed out",
            "coalescing: out of class space after 2,838 large classes, 99 % handed out",
            "buddy: out of class space after 2,912 large classes, 100 % handed out");
  }

  /**
   * More than half of the squares are of chunks too small, as the text map of the replay shows
   * them.
   */
  @Test
  void all_fixed_isMostlyChunksTooSmallAndBuddyHasNone() {
    assertThat(squares(maps.get(0), Svg.WARNING)).isBetween(700, 800);
    assertThat(squares(maps.get(2), Svg.WARNING)).isZero();
    assertThat(squares(maps.get(2), Svg.OURS)).isEqualTo(1280);
  }

  /** But the one in the legend. */
  private static int squares(Picture picture, String colour) {
    return picture.svg().split("fill=\"" + colour + "\"", -1).length - 2;
  }
}
