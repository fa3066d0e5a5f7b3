package dev.offcut.bench;

import dev.offcut.bench.child.Figure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What a child prints: its figures, and the last of the other lines for the case that it fails. */
final class ChildOutput {
  private static final int TAIL_LINES = 12;

  private final List<Figure> figures = new ArrayList<>();
  private final Deque<String> tail = new ArrayDeque<>();

  void take(String line) {
    Figure figure = Figure.parse(line);
    if (figure != null) {
      figures.add(figure);
      return;
    }
    tail.add(line);
    if (tail.size() > TAIL_LINES) {
      tail.remove();
    }
  }

  List<Figure> figures() {
    return figures;
  }

  /** What went wrong, with the command to try it by hand, and the child's own words. */
  ChildFailure failure(String what, List<String> command) {
    StringBuilder message =
        new StringBuilder(what).append("\n  ").append(String.join(" ", command));
    tail.forEach(line -> message.append("\n  | ").append(line));
    return new ChildFailure(message.toString());
  }
}
