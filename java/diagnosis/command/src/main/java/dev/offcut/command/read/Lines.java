package dev.offcut.command.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Stacks of one kind that lead to the same line of the program: they are one place. */
final class Lines {
  private static final Comparator<Stack> MOST =
      Comparator.comparingLong((Stack stack) -> stack.bytes() + stack.lostBytes())
          .thenComparingLong(stack -> stack.open() + stack.lost())
          .thenComparingLong(Stack::opened)
          .reversed();

  private Lines() {}

  /** A stack, and what was opened there, as far as it was recorded. */
  record Stack(
      String kind,
      CallSite at,
      long opened,
      long closed,
      long collected,
      long lost,
      long open,
      long bytes,
      long lostBytes,
      long samples) {
    static Stack of(Fields event) {
      List<String> frames = event.lines("site");
      int line = Math.clamp(event.number("line"), 0, Math.max(0, frames.size() - 1));
      return new Stack(
          event.text("kind"),
          new CallSite(frames, line, event.lines("through")),
          event.number("opened"),
          event.number("closed"),
          event.number("collected"),
          event.number("lost"),
          event.number("open"),
          event.number("bytes"),
          event.number("lostBytes"),
          event.number("samples"));
    }

    /** Where it is in a thread of a library: the same, of the line that started the thread. */
    private Stack atStart() {
      return at.startedAt().isEmpty()
          ? this
          : new Stack(
              kind, at.atStart(), opened, closed, collected, lost, open, bytes, lostBytes, samples);
    }

    private String place(Set<String> starts) {
      return !at.isKnown() ? "" : starts.contains(at.startedAt()) ? at.startedAt() : at.own();
    }
  }

  /**
   * The same stacks by line, those of each line with the one first that has most.
   *
   * @param starts lines that keep starting threads: what these open is one place. Other threads of
   *     a library serve all who use it
   */
  static List<List<Stack>> of(List<Stack> stacks, Set<String> starts) {
    Map<String, List<Stack>> byLine = new LinkedHashMap<>();
    for (Stack stack : stacks) {
      byLine.computeIfAbsent(stack.place(starts), made -> new ArrayList<>()).add(stack.atStart());
    }
    byLine.values().forEach(some -> some.sort(MOST));
    return List.copyOf(byLine.values());
  }

  /** What the stacks of a line have together; the margins are not known yet. */
  static Digest.Site site(List<Stack> line, boolean exact) {
    CallSite at = line.getFirst().at;
    return new Digest.Site(
        line.getFirst().kind,
        at.frames(),
        at.ownAt(),
        through(line),
        sum(line, Stack::opened),
        sum(line, Stack::closed),
        sum(line, Stack::collected),
        sum(line, Stack::lost),
        sum(line, Stack::open),
        sum(line, Stack::bytes),
        sum(line, Stack::lostBytes),
        sum(line, Stack::samples),
        exact,
        null,
        List.of());
  }

  /** The code sources of all stacks of a line, each once. */
  static List<String> through(List<Stack> line) {
    Set<String> all = new LinkedHashSet<>();
    line.forEach(stack -> all.addAll(stack.at.through()));
    return List.copyOf(all);
  }

  static long sum(List<Stack> line, ToLongFunction<Stack> figure) {
    return line.stream().mapToLong(figure).sum();
  }

  /** The site with its figures shared among its stacks, if there is more than one. */
  static Digest.Site withPaths(Digest.Site site, List<Stack> line) {
    if (line.size() < 2) {
      return site;
    }
    long[] opened = shares(line, Stack::opened, site.opened());
    long[] collected = shares(line, Stack::collected, site.collected());
    long[] open = shares(line, Stack::open, site.open());
    long[] bytes = shares(line, Stack::bytes, site.bytes());
    long[] lost = shares(line, Stack::lost, site.lost());
    long[] lostBytes = shares(line, Stack::lostBytes, site.lostBytes());
    List<Digest.Path> paths = new ArrayList<>();
    for (int i = 0; i < line.size(); i++) {
      CallSite at = line.get(i).at;
      paths.add(
          new Digest.Path(
              at.frames(),
              at.ownAt(),
              opened[i],
              collected[i],
              open[i],
              bytes[i],
              lost[i],
              lostBytes[i]));
    }
    return site.with(paths);
  }

  /** Rounded so that they add up to the total. */
  private static long[] shares(List<Stack> line, ToLongFunction<Stack> figure, long total) {
    double sum = sum(line, figure);
    return Estimates.rounded(
        line.size(),
        i -> sum == 0 ? (i == 0 ? total : 0) : figure.applyAsLong(line.get(i)) / sum * total);
  }
}
