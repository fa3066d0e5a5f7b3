package dev.offcut.bench;

import static java.util.Comparator.comparing;

import dev.offcut.bench.Rows.Row;
import dev.offcut.bench.Rows.Series;
import dev.offcut.bench.Statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What is to be reached: a relation of rows of one run, or a value of one row. */
public final class Bar {
  private static final int LEAST_ROUNDS = Statistics.LOOKS.getFirst();

  /** What is measured of ours and of the peers. */
  private enum Measure {
    /** Ours. */
    VALUE("%s"),
    /** Ours by the peer's, or by the least of the peers'. */
    RATIO("%s / %s"),
    /** The least of the peers' by ours: in times, by how much more ours does. */
    SPEED("%2$s / %1$s"),
    /** The peer's without ours. */
    SAVED("%2$s − %1$s");

    private final String text;

    Measure(String text) {
      this.text = text;
    }

    private double of(double ours, double peer) {
      return switch (this) {
        case VALUE -> ours;
        case RATIO -> ours / peer;
        case SPEED -> peer / ours;
        case SAVED -> peer - ours;
      };
    }
  }

  /** How what was measured is to stand to the limit. */
  private enum Relation {
    EXACTLY("="),
    AT_MOST("≤"),
    AT_LEAST("≥"),
    BELOW("<"),
    ABOVE(">");

    private final String sign;

    Relation(String sign) {
      this.sign = sign;
    }

    /** Whether all of an interval keeps to the limit, or none of it does. */
    private Decided decided(Interval where, double limit) {
      boolean all = holds(where.low(), limit) && holds(where.high(), limit);
      boolean around = where.low() <= limit && limit <= where.high();
      boolean none = !holds(where.low(), limit) && !holds(where.high(), limit);
      return all
          ? Decided.MET
          : none && !(this == EXACTLY && around) ? Decided.NOT_MET : Decided.OPEN;
    }

    private boolean holds(double measured, double limit) {
      return switch (this) {
        case EXACTLY -> measured == limit;
        case AT_MOST -> measured <= limit;
        case AT_LEAST -> measured >= limit;
        case BELOW -> measured < limit;
        case ABOVE -> measured > limit;
      };
    }
  }

  /**
   * The JDKs that a bar is about: of these versions, each included.
   *
   * @param oldest 0: any
   */
  private record Jdks(int oldest, int newest) {
    private static final Jdks ALL = new Jdks(0, Integer.MAX_VALUE);

    private boolean has(int feature) {
      return oldest <= feature && feature <= newest;
    }

    private String text() {
      return newest == Integer.MAX_VALUE
          ? "JDK " + oldest + " or newer"
          : oldest == 0 ? "JDK " + newest + " or older" : "JDK " + oldest + " to " + newest;
    }
  }

  private final Series ours;
  private final List<String> peers;
  private final Measure measure;
  private final Relation relation;
  private final double limit;
  private final double aim;
  private final Jdks jdks;

  private Bar(
      Series ours,
      List<String> peers,
      Measure measure,
      Relation relation,
      double limit,
      double aim,
      Jdks jdks) {
    this.ours = ours;
    this.peers = peers;
    this.measure = measure;
    this.relation = relation;
    this.limit = limit;
    this.aim = aim;
    this.jdks = jdks;
  }

  /** The same about JDKs of this version and newer ones alone. */
  public Bar from(int feature) {
    return of(ours, new Jdks(feature, jdks.newest));
  }

  /** The same about JDKs older than this version alone. */
  public Bar before(int feature) {
    return of(ours, new Jdks(jdks.oldest, feature - 1));
  }

  private Bar of(Series series, Jdks whose) {
    return new Bar(series, peers, measure, relation, limit, aim, whose);
  }

  /**
   * The same on the JDK that it is judged on: on ours if it is about ours, else on the newest of
   * the others that it is about. Null if it is about none of them.
   */
  @Nullable Bar on(List<Jdk> others) {
    Jdk jdk =
        jdks.has(Jdk.OWN.feature())
            ? Jdk.OWN
            : others.stream()
                .filter(other -> jdks.has(other.feature()))
                .max(comparing(Jdk::feature))
                .orElse(null);
    return jdk == null ? null : of(ours.on(jdk), jdks);
  }

  /** The JDKs that it is about, such as {@code JDK 28 or newer}. */
  String jdks() {
    return jdks.text();
  }

  /** Where bars are set: a metric of a case under one collector on some threads. */
  public record Place(String caseName, String metric, String gc, int threads) {
    /** {@code impl} at most {@code limit} times {@code peer}. */
    public Bar atMost(double limit, String impl, String peer) {
      return atMost(limit, limit, impl, peer);
    }

    /** As {@link #atMost(double, String, String)}, and better still {@code aim} times. */
    public Bar atMost(double limit, double aim, String impl, String peer) {
      return bar(impl, List.of(peer), Measure.RATIO, Relation.AT_MOST, limit, aim);
    }

    /** {@code impl} at most {@code limit} times the least of all peers, each of which is there. */
    public Bar atMostBest(double limit, String impl, List<String> peers) {
      return bar(impl, peers, Measure.RATIO, Relation.AT_MOST, limit, limit);
    }

    /** In times: {@code impl} does {@code limit} times as much as the best of all peers. */
    public Bar speedOfBest(double limit, String impl, List<String> peers) {
      return bar(impl, peers, Measure.SPEED, Relation.AT_LEAST, limit, limit);
    }

    /** {@code impl} less than {@code peer} by at least {@code limit}. */
    public Bar lessBy(double limit, String impl, String peer) {
      return bar(impl, List.of(peer), Measure.SAVED, Relation.AT_LEAST, limit, limit);
    }

    /** Exactly this value. */
    public Bar exactly(double value, String impl) {
      return bar(impl, List.of(), Measure.VALUE, Relation.EXACTLY, value, value);
    }

    /** This value or less. */
    public Bar atMost(double limit, String impl) {
      return bar(impl, List.of(), Measure.VALUE, Relation.AT_MOST, limit, limit);
    }

    /** This value or more. */
    public Bar atLeast(double limit, String impl) {
      return bar(impl, List.of(), Measure.VALUE, Relation.AT_LEAST, limit, limit);
    }

    /** Less than this value. */
    public Bar below(double limit, String impl) {
      return bar(impl, List.of(), Measure.VALUE, Relation.BELOW, limit, limit);
    }

    /** More than this value. */
    public Bar above(double limit, String impl) {
      return bar(impl, List.of(), Measure.VALUE, Relation.ABOVE, limit, limit);
    }

    private Bar bar(
        String impl,
        List<String> peers,
        Measure measure,
        Relation relation,
        double limit,
        double aim) {
      Series ours = new Series(caseName, impl, threads, gc, Jdk.OWN, metric);
      return new Bar(ours, peers, measure, relation, limit, aim, Jdks.ALL);
    }
  }

  /** The bar and what was measured. */
  record Verdict(String bar, @Nullable Double measured, boolean met, String word) {}

  /** Whether an interval lies on one side of a bar. */
  enum Decided {
    MET,
    NOT_MET,
    OPEN
  }

  /**
   * What the rounds so far say of a bar.
   *
   * @param rounds that have all rows of it
   * @param interval of what the bar is about; null if there are too few rounds, or no ratio
   */
  record Decision(Decided decided, int rounds, @Nullable Interval interval) {}

  String caseName() {
    return ours.caseName();
  }

  /** Whether it is about this run, or about what is compared with this one. */
  boolean needs(Case of, ChildRun run) {
    if (!of.name().equals(ours.caseName())
        || !run.gc().equals(ours.gc())
        || run.threads() != ours.threads()
        || !run.jdk().equals(ours.jdk())) {
      return false;
    }
    return run.impl().equals(ours.impl())
        || peers.contains(run.impl())
        || of.derived().stream()
            .anyMatch(
                rule -> rule.metric().equals(ours.metric()) && rule.baseline().equals(run.impl()));
  }

  /**
   * Whether the rounds decide it. The interval is that of the mean over rounds in which ours and
   * the peer ran one after the other: of the ratio's logarithm, of the difference, or of the value.
   * If there are several peers, each has an interval, and all hold together.
   */
  Decision decide(Samples samples) {
    SortedMap<Integer, Double> mine = samples.of(ours);
    if (peers.isEmpty()) {
      return decision(mine.size(), intervalOf(List.copyOf(mine.values()), 1));
    }
    int rounds = Integer.MAX_VALUE;
    Interval best = null;
    for (String peer : peers) {
      List<Double> compared = compared(mine, samples.of(ours.by(peer)));
      rounds = Math.min(rounds, compared.size());
      Interval one = intervalOf(compared, peers.size());
      if (one == null) {
        return new Decision(Decided.OPEN, rounds, null);
      }
      best = best == null ? one : stricter(best, one);
    }
    return decision(rounds, best);
  }

  private Decision decision(int rounds, @Nullable Interval interval) {
    Decided decided = interval == null ? Decided.OPEN : relation.decided(interval, limit);
    return new Decision(decided, rounds, interval);
  }

  private @Nullable Interval intervalOf(List<Double> values, int claims) {
    if (values.size() < LEAST_ROUNDS) {
      return null;
    }
    boolean ratio = measure == Measure.RATIO || measure == Measure.SPEED;
    if (!ratio || values.stream().anyMatch(value -> value <= 0)) {
      return Statistics.meanInterval(values, claims);
    }
    Interval of = Statistics.meanInterval(values.stream().map(Math::log).toList(), claims);
    return new Interval(Math.exp(of.low()), Math.exp(of.high()));
  }

  /** Of rounds that have both; none that would be by nothing. */
  private List<Double> compared(Map<Integer, Double> mine, Map<Integer, Double> peer) {
    List<Double> all = new ArrayList<>();
    mine.forEach(
        (round, value) -> {
          Double other = peer.get(round);
          boolean divides = measure == Measure.RATIO ? (other != null && other > 0) : value > 0;
          if (other != null && (measure == Measure.SAVED || divides)) {
            all.add(measure.of(value, other));
          }
        });
    return all;
  }

  /** Against the best of all: of ratios the greater, of speeds the smaller. */
  private Interval stricter(Interval one, Interval other) {
    return measure == Measure.RATIO
        ? new Interval(Math.max(one.low(), other.low()), Math.max(one.high(), other.high()))
        : new Interval(Math.min(one.low(), other.low()), Math.min(one.high(), other.high()));
  }

  /** The implementations that it is against. */
  public List<String> peers() {
    return peers;
  }

  /** By the rows alone, as of a run whose rounds were not kept. */
  Verdict judge(Rows rows) {
    Double measured = measure(rows);
    if (measured == null) {
      return new Verdict(text(), null, false, "NOT met: not measured");
    }
    return verdict(measured, relation.holds(measured, limit));
  }

  private Verdict verdict(double measured, boolean met) {
    boolean reached = met && aim < limit && measured <= aim;
    return new Verdict(text(), measured, met, !met ? "NOT met" : reached ? "met, aim too" : "met");
  }

  /** By the interval, if it decides, else by the rows; and which of these it was. */
  Judgement judge(Rows rows, Samples samples) {
    Verdict byRows = judge(rows);
    Decision decision = decide(samples);
    Double measured = byRows.measured();
    if (measured == null || decision.decided() == Decided.OPEN) {
      return new Judgement(byRows, decision);
    }
    return new Judgement(verdict(measured, decision.decided() == Decided.MET), decision);
  }

  /** A bar of a run: what came of it, and what that rests on. */
  record Judgement(Verdict verdict, Decision decision) {
    /** Such as {@code met, decided after 3 rounds}, or {@code met, limit: not decided after 7}. */
    String word() {
      if (verdict.measured() == null) {
        return verdict.word();
      }
      String rounds = decision.rounds() + (decision.rounds() == 1 ? " round" : " rounds");
      if (decision.decided() != Decided.OPEN) {
        return verdict.word() + ", decided after " + rounds;
      }
      String why =
          decision.interval() == null ? "limit: too few to decide, " : "limit: not decided after ";
      return verdict.word() + ", " + why + rounds;
    }

    /** Bar, what was measured with its interval, the verdict. */
    List<String> line() {
      Double measured = verdict.measured();
      Interval where = decision.interval();
      return Numbers.bar(
          verdict.bar(),
          measured,
          where == null ? null : where.low(),
          where == null ? null : where.high(),
          word());
    }
  }

  /** Null where a row is missing, or a ratio would be of nothing. */
  private @Nullable Double measure(Rows rows) {
    Row mine = rows.find(ours);
    if (mine == null || measure == Measure.VALUE) {
      return mine == null ? null : mine.value();
    }
    double least = Double.MAX_VALUE;
    for (String peer : peers) {
      Row row = rows.find(ours.by(peer));
      if (row == null || (row.value() <= 0 && measure != Measure.SAVED)) {
        return null;
      }
      least = Math.min(least, row.value());
    }
    return measure.of(mine.value(), least);
  }

  /** Such as {@code open_close, G1, 1 thread, cpu_ns_per_op: offcut / jdk-cleaner ≤ 0.45}. */
  private String text() {
    String where = ours.place() + ", " + ours.metric() + ": ";
    String other = peers.size() == 1 ? peers.getFirst() : "best of " + peers.size();
    String better = aim < limit ? " (aim " + Numbers.plain(aim) + ")" : "";
    return where
        + measure.text.formatted(ours.impl(), other)
        + " "
        + relation.sign
        + " "
        + Numbers.plain(limit)
        + better;
  }
}
