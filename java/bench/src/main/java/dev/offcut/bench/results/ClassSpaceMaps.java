package dev.offcut.bench.results;

import dev.offcut.bench.results.BarsPicture.Picture;
import dev.offcut.replay.Replay;
import dev.offcut.replay.Result;
import dev.offcut.replay.space.Policy;
import dev.offcut.replay.space.Space;
import dev.offcut.replay.space.Space.Layout.NodeMap;
import dev.offcut.replay.space.Space.Layout.Piece;
import dev.offcut.replay.space.Space.Layout.State;
import dev.offcut.replay.space.Space.Usage;
import dev.offcut.replay.trace.Example2;
import dev.offcut.replay.trace.Trace;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Class space at the moment it is out, as Example2 of JDK-8198423 leaves it: drawn of a replay that
 * is run for it, which says the same whenever it is run.
 */
final class ClassSpaceMaps {
  /** Address space in one square: 8 KiB in words. */
  private static final long CELL_WORDS = 1 << 10;

  private static final int COLUMNS = 64;
  private static final double SIDE = 10;
  private static final double HEAD = 24;
  private static final double FOOT = 22;

  private ClassSpaceMaps() {}

  /** Before the patch, with it, and Offcut's pool. */
  static List<Picture> all() {
    return Stream.of("fixed", "coalescing", "buddy").map(ClassSpaceMaps::of).toList();
  }

  private static Picture of(String policyName) {
    Trace trace = Example2.trace();
    var policy = Objects.requireNonNull(Policy.named(policyName));
    try (Replay replay = new Replay(policy, trace, trace.classSpaceBytes(), 0, done -> {})) {
      Result result = replay.run();
      var look = result.last().classSpace();
      long large = result.classesByGroup().getOrDefault(Example2.LARGE, 0L);
      String caption = caption(policyName, large, look.usage());
      return new Picture("class-space-" + policyName + ".svg", caption, drawn(look.map(), caption));
    }
  }

  private static String caption(String policy, long large, Usage usage) {
    return String.format(
        Locale.ROOT,
        "%s: out of class space after %,d large classes, %.0f %% handed out",
        policy,
        large,
        usage.percent(usage.handedOut()));
  }

  private static String drawn(Space.Layout map, String caption) {
    NodeMap node = map.nodes().getFirst(); // class space is one
    int cells = Math.toIntExact((node.words() + CELL_WORDS - 1) / CELL_WORDS);
    int rows = (cells + COLUMNS - 1) / COLUMNS;
    double height = HEAD + rows * SIDE + FOOT;
    Svg svg = new Svg(COLUMNS * SIDE, height, caption).sayBold(2, 15, caption);
    for (int cell = 0; cell < cells; cell++) {
      int row = cell / COLUMNS;
      double x = (cell - row * COLUMNS) * SIDE;
      double y = HEAD + row * SIDE;
      draw(svg, node, cell * CELL_WORDS, x, y);
    }
    return legend(svg, height - 7).done();
  }

  /**
   * The part that is handed out as a bar from the bottom; free space by whether it is one piece.
   */
  private static void draw(Svg svg, NodeMap node, long from, double x, double y) {
    long end = Math.min(node.words(), from + CELL_WORDS);
    long handedOut = 0;
    long untouched = 0;
    boolean pieces = false;
    for (Piece piece : node.pieces()) {
      long inside = Math.min(end, piece.from() + piece.words()) - Math.max(from, piece.from());
      if (inside > 0) {
        handedOut += piece.state() == State.IN_USE ? inside : 0;
        untouched += piece.state() == State.UNTOUCHED ? inside : 0;
        pieces |= piece.state() != State.IN_USE && inside < end - from;
      }
    }
    double side = SIDE - 1;
    String ground = untouched == end - from ? Svg.NOTHING : pieces ? Svg.WARNING : Svg.PALE;
    double filled = side * handedOut / (end - from);
    if (filled < side) {
      svg.box(x, y, side, side - filled, ground);
    }
    if (filled > 0) {
      svg.box(x, y + side - filled, side, filled, Svg.OURS);
    }
  }

  private static Svg legend(Svg svg, double y) {
    key(svg, 0, y, Svg.OURS, "handed out");
    key(svg, 110, y, Svg.WARNING, "free, in chunks too small");
    key(svg, 290, y, Svg.PALE, "free");
    key(svg, 350, y, Svg.NOTHING, "no chunk yet");
    return svg.say(470, y, "a square is 8 KiB");
  }

  private static void key(Svg svg, double x, double y, String colour, String what) {
    svg.box(x, y - SIDE + 1, SIDE, SIDE, colour).say(x + SIDE + 5, y, what);
  }
}
