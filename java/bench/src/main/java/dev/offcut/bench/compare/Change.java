package dev.offcut.bench.compare;

import dev.offcut.bench.Sides;
import dev.offcut.bench.Sides.Better;
import dev.offcut.bench.read.FileRow;

/**
 * One row in two runs.
 *
 * <pre>
 *   changed    = |new − base| &gt; spread of base + spread of new
 *   regression = changed for the worse, one of ours, and |new − base| &gt; 10 % of base
 * </pre>
 *
 * <p>What a peer does is no regression of ours: it says that the machine differed, or the peer's
 * version. From 0 any change for the worse is more than 10 %.
 */
record Change(FileRow base, FileRow now, Verdict verdict) {
  /** Part of the base from which on a change for the worse is a regression. */
  private static final double LIMIT = 0.10;

  /** What came of a row. The order is that of the report: what is to be acted on first. */
  enum Verdict {
    REGRESSION("REGRESSION"),
    WORSE("worse"),
    BETTER("better"),
    CHANGED("changed"),
    SAME("same");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  static Change of(FileRow base, FileRow now, Sides sides) {
    return new Change(base, now, verdict(base, now, sides));
  }

  private static Verdict verdict(FileRow base, FileRow now, Sides sides) {
    double change = now.value() - base.value();
    if (Math.abs(change) <= base.spread() + now.spread()) {
      return Verdict.SAME;
    }
    Better better = sides.better(base.key().metric());
    if (better == Better.NEITHER) {
      return Verdict.CHANGED;
    }
    if (change > 0 == (better == Better.HIGHER)) {
      return Verdict.BETTER;
    }
    boolean large = Math.abs(change) > LIMIT * Math.abs(base.value());
    return large && sides.isOurs(base.key().impl()) ? Verdict.REGRESSION : Verdict.WORSE;
  }

  /** In percent of the base; infinite from 0. */
  double percent() {
    double change = now.value() - base.value();
    return change == 0 ? 0 : 100 * change / Math.abs(base.value());
  }

  /** Such as {@code +12.3 %}. */
  String percentText() {
    double percent = percent();
    if (Double.isInfinite(percent)) {
      return "from 0";
    }
    return String.format(java.util.Locale.ROOT, "%+.1f %%", percent);
  }
}
