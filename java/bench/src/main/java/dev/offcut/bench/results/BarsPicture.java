package dev.offcut.bench.results;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups of bars, each group with a measure of its own: its longest bar has the whole width. */
final class BarsPicture {
  private static final double WIDTH = 760;
  private static final double NAMES = 250;
  private static final double FIGURES = 110;
  private static final double BAR = 14;
  private static final double ROW = 18;
  private static final double HEAD = 24;
  private static final double GAP = 12;

  /**
   * One measure.
   *
   * @param title what is measured, in what, and what is better
   */
  record Group(String title, List<Bar> bars) {}

  /**
   * One bar.
   *
   * @param value null where it was not measured
   * @param text the value as it is said
   */
  record Bar(String name, @Nullable Double value, String text, boolean isOurs) {}

  private BarsPicture() {}

  static String of(String title, List<Group> groups) {
    double height = GAP;
    for (Group group : groups) {
      height += HEAD + ROW * group.bars().size() + GAP;
    }
    Svg svg = new Svg(WIDTH, height, title);
    double y = GAP;
    for (Group group : groups) {
      svg.sayBold(8, y + 14, group.title());
      y = draw(svg, group, y + HEAD) + GAP;
    }
    return svg.done();
  }

  private static double draw(Svg svg, Group group, double top) {
    double most = 0;
    for (Bar bar : group.bars()) {
      most = bar.value() == null ? most : Math.max(most, bar.value());
    }
    double y = top;
    for (Bar bar : group.bars()) {
      Double value = bar.value();
      double length = value == null || most == 0 ? 0 : value / most * (WIDTH - NAMES - FIGURES);
      svg.say(8, y + BAR - 3, bar.name());
      svg.box(NAMES, y, Math.max(1, length), BAR, bar.isOurs() ? Svg.OURS : Svg.THEIRS);
      svg.say(NAMES + Math.max(1, length) + 6, y + BAR - 3, bar.text());
      y += ROW;
    }
    return y;
  }

  /**
   * A picture of a page.
   *
   * @param name of its file
   * @param caption what is to be seen, for who does not see it, too
   * @param svg the file
   */
  record Picture(String name, String caption, String svg) {}
}
