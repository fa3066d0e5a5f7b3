package dev.offcut.bench;

import dev.offcut.bench.Rows.Row;
import dev.offcut.bench.Rows.Series;
import dev.offcut.bench.read.RunFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is to be reached: a relation of rows of one run, or a value of one row. */
public final class Bar {
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

  private final Series ours;
  private final List<String> peers;
  private final Measure measure;
  private final Relation relation;
  private final double limit;
  private final double aim;

  private Bar(
      Series ours,
      List<String> peers,
      Measure measure,
      Relation relation,
      double limit,
      double aim) {
    this.ours = ours;
    this.peers = peers;
    this.measure = measure;
    this.relation = relation;
    this.limit = limit;
    this.aim = aim;
  }

  /** Where bars are set: a metric of a case under one collector on some threads, on our JDK. */
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
      return new Bar(ours, peers, measure, relation, limit, aim);
    }
  }

  /** The bar and what was measured. */
  record Verdict(String bar, @Nullable Double measured, boolean met, String word) {}

  String caseName() {
    return ours.caseName();
  }

  /** The implementations that it is against. */
  public List<String> peers() {
    return peers;
  }

  Verdict judge(Rows rows) {
    Double measured = measure(rows);
    if (measured == null) {
      return new Verdict(text(), null, false, "NOT met: not measured");
    }
    boolean met = relation.holds(measured, limit);
    boolean reached = met && aim < limit && measured <= aim;
    return new Verdict(text(), measured, met, !met ? "NOT met" : reached ? "met, aim too" : "met");
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

  /** Kept rows judged anew: by the bars of their suite, and by where a peer is ahead. */
  public static final class Judged {
    private Judged() {}

    /**
     * Bar, what was measured, the verdict; of the cases that have rows. Go's are not known here.
     */
    public static List<List<String>> bars(RunFile run) {
      Suite suite = Suites.named(run.suite());
      if (suite == null) {
        return List.of();
      }
      Rows rows = new Rows(run.rows().stream().map(row -> row(row, run)).toList());
      List<List<String>> lines = new ArrayList<>();
      for (Bar bar : suite.bars()) {
        if (run.rows().stream().anyMatch(row -> row.key().caseName().equals(bar.caseName()))) {
          Bar.Verdict verdict = bar.judge(rows);
          Double measured = verdict.measured();
          String number = measured == null ? "" : Numbers.brief(Objects.requireNonNull(measured));
          lines.add(List.of(verdict.bar(), number, verdict.word()));
        }
      }
      return lines;
    }

    /** The run's own JDK counts as ours, whatever this program runs on: bars are set there. */
    private static Row row(RunFile.Row row, RunFile run) {
      RunFile.Row.Key key = row.key();
      Jdk jdk =
          key.runtime().equals(run.fact("runtime"))
              ? Jdk.OWN
              : new Jdk(Path.of(""), key.runtime().replaceFirst("^java ", ""));
      Series series =
          new Series(key.caseName(), key.impl(), key.threads(), key.gc(), jdk, key.metric());
      return new Row(series, row.version(), row.value(), row.unit(), row.spread());
    }

    /** Place, metric, the peer and its value, ours and its value. */
    public static List<List<String>> ahead(RunFile run, Sides sides) {
      List<List<String>> lines = new ArrayList<>();
      for (RunFile.Row ours : run.rows()) {
        if (!sides.isOurs(ours.key().impl())) {
          continue;
        }
        for (RunFile.Row peer : run.rows()) {
          if (sides.isPeer(peer.key().impl())
              && peer.key().by(ours.key().impl()).equals(ours.key())
              && isBetter(peer, ours, sides.better(ours.key().metric()))) {
            lines.add(
                List.of(
                    ours.key().place(),
                    ours.key().metric(),
                    peer.key().impl(),
                    peer.text(),
                    ours.key().impl(),
                    ours.text()));
          }
        }
      }
      return lines;
    }

    private static boolean isBetter(RunFile.Row peer, RunFile.Row ours, Sides.Better better) {
      return switch (better) {
        case LOWER -> peer.value() < ours.value();
        case HIGHER -> peer.value() > ours.value();
        case NEITHER -> false;
      };
    }
  }
}
