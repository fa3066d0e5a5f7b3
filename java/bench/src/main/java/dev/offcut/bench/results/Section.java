package dev.offcut.bench.results;

import dev.offcut.bench.Bar.Judged;
import dev.offcut.bench.Numbers;
import dev.offcut.bench.Sides;
import dev.offcut.bench.Suites;
import dev.offcut.bench.read.RunFile;
import dev.offcut.bench.results.BarsPicture.Picture;
import dev.offcut.bench.results.Headlines.Headline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One suite as a page says it: the source's figures beside ours, where a peer is ahead, the bars.
 *
 * @param headline null if none of the sources is about the suite
 * @param pictures those that go with the headline
 * @param made machine, versions, command, date and what ± means: stands under each table
 * @param ahead where a peer is ahead; no lines if nowhere
 * @param bars what is to be reached, and whether it was
 */
record Section(
    Outcome outcome,
    @Nullable Headline headline,
    List<Picture> pictures,
    String made,
    Table ahead,
    Table bars) {
  /** A load from which on the machine counts as busy. */
  private static final double BUSY = 1.5;

  /** The end of a sentence about something for which time was short; the suites write it. */
  private static final String WANT_OF_TIME = ", for want of time";

  private static final String GO_BARS = "Bars, from the rows of this run alone";

  static Section of(Outcome outcome) {
    RunFile run = outcome.run();
    Sides sides = Objects.requireNonNull(Suites.sides(outcome.suite()));
    List<List<String>> ahead = run == null ? List.of() : Judged.ahead(run, sides);
    return new Section(
        outcome,
        Headlines.of(outcome),
        run == null ? List.of() : pictures(run),
        run == null ? "" : made(run, command(run)),
        new Table(
            "Where a peer is ahead", List.of("where", "metric", "peer", "", "ours", ""), ahead),
        new Table("Bars, from the rows of this run alone", List.of("bar", "", ""), bars(outcome)));
  }

  private static List<Picture> pictures(RunFile run) {
    return switch (run.suite()) {
      case "replay" -> ClassSpaceMaps.all();
      case "contention" -> new ScalingCurves(run).pictures();
      default -> List.of();
    };
  }

  private static List<List<String>> bars(Outcome outcome) {
    RunFile run = outcome.run();
    if (run == null) {
      return List.of();
    }
    return run.bars().isEmpty() && outcome.suite().equals(Suites.GO)
        ? printedBars(outcome)
        : Judged.bars(run);
  }

  /** The bars of the Go suite stand in what it said, if a file is without them. */
  private static List<List<String>> printedBars(Outcome outcome) {
    List<List<String>> lines = new ArrayList<>();
    boolean bars = false;
    for (String line : outcome.printed()) {
      if (bars && line.startsWith("  ")) {
        List<String> cells = new ArrayList<>(List.of(line.strip().split(" {2,}", -1)));
        if (cells.size() == 2) {
          cells.add(1, ""); // not measured
        }
        lines.add(cells);
      }
      bars = line.equals(GO_BARS) || (bars && line.startsWith("  "));
    }
    return lines;
  }

  private static String made(RunFile run, String command) {
    return run.fact("cpu")
        + ", "
        + run.fact("cpus")
        + " CPUs, "
        + run.fact("os")
        + " "
        + run.fact("arch")
        + "; "
        + run.fact("runtime")
        + "; offcut "
        + run.fact("offcut")
        + "; "
        + run.fact("time")
        + "; "
        + command
        + "; ± half the distance between the quartiles of the rounds";
  }

  /** What measures it. */
  String command() {
    RunFile run = outcome.run();
    return run == null ? "" : command(run);
  }

  private static String command(RunFile run) {
    return "./offcut bench " + run.suite() + (run.isQuick() ? " --quick" : "");
  }

  /**
   * What a reader must know before the figures: that the machine was busy, and what was left out.
   */
  List<String> notes() {
    RunFile run = outcome.run();
    if (run == null) {
      return List.of();
    }
    List<String> notes = new ArrayList<>();
    if (!run.fact("note").isEmpty()) {
      notes.add(run.fact("note"));
    }
    String load = busy(run);
    if (load != null) {
      notes.add(
          "The machine was busy: "
              + load
              + ". Compare rows of one case only, and expect wide intervals; a run below "
              + Numbers.brief(BUSY)
              + " is a better one.");
    }
    leftOut(run).forEach(sentence -> notes.add("Left out: " + sentence + "."));
    return notes;
  }

  /**
   * Joins the sentences that end in {@link #WANT_OF_TIME}: one sentence for each reason, with its
   * cases. Other sentences stay as they are.
   */
  private static List<String> leftOut(RunFile run) {
    Map<String, List<String>> late = new LinkedHashMap<>();
    List<String> sentences = new ArrayList<>();
    for (String sentence : run.leftOut()) {
      int end = sentence.indexOf(": ");
      if (end >= 0 && sentence.endsWith(WANT_OF_TIME)) {
        late.computeIfAbsent(sentence.substring(end + 2), any -> new ArrayList<>())
            .add(sentence.substring(0, end));
      } else {
        sentences.add(sentence);
      }
    }
    late.forEach((what, of) -> sentences.add(what + ": " + String.join("; ", of)));
    return sentences;
  }

  /** What the load was if it was too high; that of others, if the run tells it from its own. */
  private static @Nullable String busy(RunFile run) {
    String load =
        run.fact("others_load").isEmpty()
            ? above(run, "load_before", "the system's load before the run was ")
            : above(run, "others_load", "the load of other programs during the run was ");
    return load != null
        ? load
        : above(run, "others_load_before", "the load of other programs before the run was ");
  }

  private static @Nullable String above(RunFile run, String fact, String what) {
    return run.environment().get(fact) instanceof Number load && load.doubleValue() > BUSY
        ? what + Numbers.brief(load.doubleValue())
        : null;
  }

  /**
   * A table of a page.
   *
   * @param caption what is in it
   * @param columns the heads
   * @param lines the cells, as text
   */
  record Table(String caption, List<String> columns, List<List<String>> lines) {}
}
