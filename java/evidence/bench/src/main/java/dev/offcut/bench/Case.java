package dev.offcut.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs that are compared with each other.
 *
 * @param name as in the rows
 * @param summary one line for {@code --list}
 * @param metrics what becomes rows, in this order; children may report more
 * @param rounds how often each run is repeated; what a bar is about, until the bar is decided
 * @param runs in the order of the rows, the default collector first
 * @param derived metrics computed from those of another implementation in the same round
 * @param headline what of it is measured on other JDKs, too; null if nothing
 * @param atATime how many of its children may run at the same time
 */
public record Case(
    String name,
    String summary,
    List<String> metrics,
    int rounds,
    List<ChildRun> runs,
    List<Derived> derived,
    @Nullable Headline headline,
    int atATime) {
  /** Without a headline. */
  public Case(
      String name,
      String summary,
      List<String> metrics,
      int rounds,
      List<ChildRun> runs,
      List<Derived> derived) {
    this(name, summary, metrics, rounds, runs, derived, null, 1);
  }

  /**
   * What of a case is measured on other JDKs: on one thread, under the first collector.
   *
   * @param metric that the page of runtimes shows
   * @param impls which implementations
   * @param needs the least Java that the library and its measurement run on
   */
  public record Headline(String metric, List<String> impls, int needs) {}

  /** The same with a headline. */
  public Case headline(int needs, String metric, String... impls) {
    Headline its = new Headline(metric, List.of(impls), needs);
    return new Case(name, summary, metrics, rounds, runs, derived, its, atATime);
  }

  /**
   * The same with children of which so many may run at the same time: they mostly wait, or what
   * they report does not depend on time.
   */
  public Case together(int children) {
    return new Case(name, summary, metrics, rounds, runs, derived, headline, children);
  }

  /** The same with its headline on these JDKs, too, in the same rounds; the older are left out. */
  Case on(List<Jdk> jdks) {
    List<ChildRun> all = new ArrayList<>(runs);
    for (Jdk jdk : jdks) {
      headlines().stream().map(run -> run.on(jdk)).filter(run -> isNew(run, all)).forEach(all::add);
    }
    return new Case(name, summary, metrics, rounds, all, derived, headline, atATime);
  }

  /** With nothing but its headline. */
  Case headlineAlone() {
    return new Case(name, summary, metrics, rounds, headlines(), derived, headline, atATime);
  }

  private List<ChildRun> headlines() {
    return runs.stream()
        .filter(
            run ->
                headline != null
                    && headline.impls.contains(run.impl())
                    && run.threads() == 1
                    && run.gc().equals(runs.getFirst().gc())
                    && run.jdk().equals(Jdk.OWN))
        .toList();
  }

  /** Whether the JDK is new enough, and the case does not have this run. */
  private boolean isNew(ChildRun run, List<ChildRun> all) {
    return headline != null
        && run.jdk().feature() >= headline.needs
        && all.stream()
            .noneMatch(
                other ->
                    other.impl().equals(run.impl())
                        && other.gc().equals(run.gc())
                        && other.threads() == run.threads()
                        && other.jdk().version().equals(run.jdk().version()));
  }

  /** So many children that mostly wait: each may have half a GiB for a moment. */
  public static final int WAITING = 4;

  /** Rounds of what has no bar. */
  public static final int ROUNDS = 3;

  /** Whether bars may ask for further rounds: a case of one round takes too long for that. */
  boolean isRepeated() {
    return rounds > 1;
  }

  /** Whether others are compared with it, in the same round. */
  boolean isBaseline(ChildRun run) {
    return derived.stream().anyMatch(rule -> rule.baseline().equals(run.impl()));
  }

  /** Seconds of a round of all. */
  double roundSeconds() {
    return runs.stream().mapToDouble(ChildRun::estimate).sum() / atATime;
  }

  /** Seconds of the further rounds up to the bars' first look. */
  double furtherSeconds(List<Bar> bars) {
    double[] each =
        runs.stream()
            .filter(run -> isRepeated() && bars.stream().anyMatch(bar -> bar.needs(this, run)))
            .mapToDouble(ChildRun::estimate)
            .toArray();
    int together = Math.clamp(each.length, 1, atATime);
    return (Statistics.LOOKS.getFirst() - 1) * Arrays.stream(each).sum() / together;
  }

  /**
   * A metric that is another, compared with that of a baseline in the same round.
   *
   * @param metric its name, which the case's metrics contain
   * @param from the metric it is computed from
   * @param baseline the implementation that it is compared with
   * @param comparison how
   */
  public record Derived(String metric, String from, String baseline, Comparison comparison) {
    /** The excess over the baseline's. */
    public Derived(String metric, String from, String baseline) {
      this(metric, from, baseline, Comparison.EXCESS);
    }

    /**
     * In times of the baseline's. With it come {@code …_low} and {@code …_high}: between them the
     * median of all such rounds is to be expected.
     */
    public static Derived ratio(String metric, String from, String baseline) {
      return new Derived(metric, from, baseline, Comparison.RATIO);
    }

    String low() {
      return metric + "_low";
    }

    String high() {
      return metric + "_high";
    }
  }

  /** How a value is compared with the baseline's. */
  enum Comparison {
    EXCESS,
    RATIO;

    double of(double value, double baseline) {
      return this == RATIO ? value / baseline : value - baseline;
    }
  }
}
