package dev.offcut.bench;

import dev.offcut.bench.Samples.Series;
import dev.offcut.bench.Statistics.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is to be reached: a relation of ours to a peer in the same rounds, or a value of ours.
 *
 * @param ours the series of our implementation
 * @param peers none for a value; several: the best of those that are there
 * @param isRatio whether ours is divided by the peer's, or the peer's subtracted from it
 * @param isAtLeast whether the limit is the least, or the most
 */
public record Bar(
    Series ours, List<String> peers, boolean isRatio, boolean isAtLeast, double limit) {

  /** Where bars are set: a metric of a case on some threads. */
  public record Place(String caseName, String metric, int threads) {
    public Place(String caseName, String metric) {
      this(caseName, metric, 1);
    }

    /** {@code impl} at most {@code limit} times the best of {@code peers}. */
    public Bar ratio(double limit, String impl, String... peers) {
      return new Bar(series(impl), List.of(peers), true, false, limit);
    }

    /** {@code impl} at most {@code limit} more than {@code peer}. */
    public Bar over(double limit, String impl, String peer) {
      return new Bar(series(impl), List.of(peer), false, false, limit);
    }

    public Bar atMost(double limit, String impl) {
      return new Bar(series(impl), List.of(), false, false, limit);
    }

    public Bar atLeast(double limit, String impl) {
      return new Bar(series(impl), List.of(), false, true, limit);
    }

    private Series series(String impl) {
      return new Series(caseName, impl, threads, metric);
    }
  }

  /**
   * A bar of a run.
   *
   * @param measured the median of the rounds; null if there is no round
   * @param interval where the truth lies
   */
  record Verdict(
      String bar, @Nullable Double measured, @Nullable Interval interval, int rounds, Word word) {}

  enum Word {
    MET("met"),
    NOT_MET("NOT met"),
    UNDECIDED("undecided"),
    NOT_MEASURED("not measured");

    final String text;

    Word(String text) {
      this.text = text;
    }
  }

  /**
   * By the interval of the median: of the ratio or the difference in each round, in which both ran
   * one after the other. Counts and sizes are decided by the rounds that there are.
   */
  Verdict judge(Samples samples) {
    List<Double> values = values(samples);
    if (values.isEmpty()) {
      return new Verdict(text(), null, null, 0, Word.NOT_MEASURED);
    }
    Interval interval = Statistics.medianInterval(values);
    boolean isSure = interval.isSure() || peers.isEmpty();
    Word word =
        holds(interval.low()) != holds(interval.high()) || !isSure
            ? Word.UNDECIDED
            : holds(interval.low()) ? Word.MET : Word.NOT_MET;
    return new Verdict(text(), Statistics.median(values), interval, values.size(), word);
  }

  private List<Double> values(Samples samples) {
    SortedMap<Integer, Double> mine = samples.of(ours);
    if (peers.isEmpty()) {
      return List.copyOf(mine.values());
    }
    Stream<List<Double>> each =
        peers.stream().map(peer -> compared(mine, samples.of(ours.by(peer))));
    return each.filter(all -> !all.isEmpty())
        .max(Comparator.comparing(Statistics::median))
        .orElse(List.of());
  }

  private List<Double> compared(Map<Integer, Double> mine, Map<Integer, Double> peer) {
    List<Double> all = new ArrayList<>();
    mine.forEach(
        (round, value) -> {
          Double other = peer.get(round);
          if (other != null && (!isRatio || other > 0)) {
            all.add(isRatio ? value / other : value - other);
          }
        });
    return all;
  }

  private boolean holds(double measured) {
    return isAtLeast ? measured >= limit : measured <= limit;
  }

  /** Such as {@code open_close, 1 thread, cpu_ns_per_op: offcut / jdk-cleaner ≤ 0.5}. */
  String text() {
    String other = peers.size() > 1 ? "best of " + peers.size() : String.join("", peers);
    String what = peers.isEmpty() ? ours.impl() : ours.impl() + (isRatio ? " / " : " − ") + other;
    String sign = isAtLeast ? " ≥ " : " ≤ ";
    return ours.place() + ", " + ours.metric() + ": " + what + sign + Numbers.plain(limit);
  }

  /** Bar, what was measured with its interval, the verdict. */
  static List<String> line(Verdict verdict) {
    String number = "";
    if (verdict.measured() != null) {
      Interval where = Objects.requireNonNull(verdict.interval());
      number = Numbers.brief(verdict.measured());
      if (where.low() != where.high()) {
        number += " (" + Numbers.brief(where.low()) + " to " + Numbers.brief(where.high()) + ")";
      }
    }
    String after = verdict.word() == Word.UNDECIDED ? " after " + verdict.rounds() : "";
    return List.of(verdict.bar(), number, verdict.word().text + after);
  }
}
