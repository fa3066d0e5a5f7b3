package dev.offcut.retrofit.stream;

import dev.offcut.retrofit.base.io.StreamCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A call site of the program that reads objects, with its walks, those it was saved, the frames of
 * both together, its reads without a filter, and how many walks pass how many frames.
 *
 * @param depths of the walks done and saved, as many as {@code StreamCounts.Walks} has classes of
 *     depth
 */
record ReadSite(
    String name,
    long walks,
    double walkFrames,
    double saved,
    double savedFrames,
    long unfiltered,
    List<Long> depths) {
  /** By what the stock stream would spend on walks. The names make the order of equals definite. */
  static final Comparator<ReadSite> EXPENSIVE_FIRST =
      Comparator.comparingDouble((ReadSite site) -> -site.nanosLeft() - site.nanosSaved())
          .thenComparing(ReadSite::name);

  /** Of one walk without and with one frame of the JDK, measured on JDK 17 and 25. */
  private static final double WALK_NANOS = 100;

  private static final double FRAME_NANOS = 19;

  /**
   * All sites, by their figures of {@code StreamCounts.Walks}, and what they were saved together.
   */
  static List<ReadSite> all(Map<String, long[]> sites, long saved) {
    long samples = 0;
    for (long[] figures : sites.values()) {
      samples += figures[2];
    }
    // All saved walks, shared out as the samples were found.
    double each = samples == 0 ? 0 : (double) saved / samples;
    List<ReadSite> all = new ArrayList<>();
    sites.forEach((name, figures) -> all.add(of(name, figures, each)));
    all.sort(EXPENSIVE_FIRST);
    return all;
  }

  private static ReadSite of(String name, long[] figures, double each) {
    List<Long> depths = Arrays.stream(figures).skip(5).boxed().toList();
    return new ReadSite(
        name, figures[0], figures[1], each * figures[2], each * figures[3], figures[4], depths);
  }

  /** Estimated CPU of the walks that were done. */
  double nanosLeft() {
    return WALK_NANOS * walks + FRAME_NANOS * walkFrames;
  }

  /** Estimated CPU of those that were saved. */
  double nanosSaved() {
    return WALK_NANOS * saved + FRAME_NANOS * savedFrames;
  }

  /** The head of the table of sites. */
  static List<String> head() {
    List<String> head = new ArrayList<>();
    head.addAll(List.of("walks", "saved", "CPU left", "CPU saved", "no filter", "|"));
    int from = 0;
    for (int index = 0; index < StreamCounts.DEPTH_CLASSES - 1; index++) {
      int bound = StreamCounts.FIRST_BOUND << index;
      head.add(from + "-" + (bound - 1));
      from = bound;
    }
    head.addAll(List.of(from + "+", "call site"));
    return head;
  }

  /** Its row. */
  List<String> cells() {
    List<String> cells = new ArrayList<>();
    cells.add(Figures.count(walks));
    cells.add(Figures.count(Math.round(saved)));
    cells.add(Figures.time(nanosLeft()));
    cells.add(Figures.time(nanosSaved()));
    cells.add(Figures.count(unfiltered));
    cells.add("|");
    long all = depths.stream().mapToLong(Long::longValue).sum();
    depths.forEach(depth -> cells.add(Figures.percent(depth, all)));
    cells.add(name);
    return cells;
  }
}
