package dev.offcut.bench;

import org.jspecify.annotations.Nullable;

/** What is to be reached: a ratio of two rows of one run, or an exact value of one row. */
public final class Bar {
  private final Series ours;
  private final @Nullable Series peer;
  private final double limit;
  private final double aim;

  private Bar(Series ours, @Nullable Series peer, double limit, double aim) {
    this.ours = ours;
    this.peer = peer;
    this.limit = limit;
    this.aim = aim;
  }

  /** Where bars are set: a metric of a case under one collector on some threads. */
  public record Place(String caseName, String metric, String gc, int threads) {
    private Series by(String impl) {
      return new Series(caseName, impl, threads, gc, metric);
    }

    /** {@code impl} at most {@code limit} times {@code peer}. */
    public Bar atMost(double limit, String impl, String peer) {
      return new Bar(by(impl), by(peer), limit, limit);
    }

    /** As {@link #atMost(double, String, String)}, and better still {@code aim} times. */
    public Bar atMost(double limit, double aim, String impl, String peer) {
      return new Bar(by(impl), by(peer), limit, aim);
    }

    /** Exactly this value. */
    public Bar exactly(double value, String impl) {
      return new Bar(by(impl), null, value, value);
    }
  }

  /** The bar and what was measured. */
  record Verdict(String bar, @Nullable Double measured, boolean met, String word) {}

  String caseName() {
    return ours.caseName();
  }

  Verdict judge(Rows rows) {
    Double measured = measure(rows);
    if (measured == null) {
      return new Verdict(text(), null, false, "NOT met: not measured");
    }
    boolean met = peer == null ? measured == limit : measured <= limit;
    boolean reached = met && aim < limit && measured <= aim;
    return new Verdict(text(), measured, met, !met ? "NOT met" : reached ? "met, aim too" : "met");
  }

  private @Nullable Double measure(Rows rows) {
    Row mine = rows.find(ours);
    if (peer == null || mine == null) {
      return mine == null ? null : mine.value();
    }
    Row other = rows.find(peer);
    return other == null || other.value() <= 0 ? null : mine.value() / other.value();
  }

  /** Such as {@code open_close, G1, 1 thread, cpu_ns_per_op: offcut / jdk-cleaner ≤ 0.45}. */
  private String text() {
    String where = ours.place() + ", " + ours.metric() + ": " + ours.impl();
    if (peer == null) {
      return where + " = " + Numbers.plain(limit);
    }
    String better = aim < limit ? " (aim " + Numbers.plain(aim) + ")" : "";
    return where + " / " + peer.impl() + " ≤ " + Numbers.plain(limit) + better;
  }
}
