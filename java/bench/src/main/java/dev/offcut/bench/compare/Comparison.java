package dev.offcut.bench.compare;

import dev.offcut.bench.Sides;
import dev.offcut.bench.Sides.Better;
import dev.offcut.bench.compare.Comparison.Change.Verdict;
import dev.offcut.bench.read.RunFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Two runs of one suite.
 *
 * @param differs facts about the runs that are not the same: as {@code cpu: this → that}
 * @param changes what both have, what is to be acted on first
 * @param onlyBase rows that the new run lacks
 * @param onlyNow rows that the base lacks
 */
record Comparison(
    RunFile base,
    RunFile now,
    List<String> differs,
    List<Change> changes,
    List<RunFile.Row> onlyBase,
    List<RunFile.Row> onlyNow) {
  /** What makes absolute values of two runs hard to compare. */
  private static final List<String> FACTS =
      List.of("quick", "runtime", "cpu", "cpus", "memory_bytes", "os", "arch");

  static Comparison of(RunFile base, RunFile now, Sides sides) {
    Map<RunFile.Row.Key, RunFile.Row> rest = new LinkedHashMap<>();
    now.rows().forEach(row -> rest.put(row.key(), row));
    List<Change> changes = new ArrayList<>();
    List<RunFile.Row> onlyBase = new ArrayList<>();
    for (RunFile.Row row : base.rows()) {
      RunFile.Row other = rest.remove(row.key());
      if (other == null) {
        onlyBase.add(row);
      } else {
        changes.add(Change.of(row, other, sides));
      }
    }
    changes.sort(Comparator.comparing(Change::verdict)); // stable: else in the order of the file
    List<RunFile.Row> onlyNow = new ArrayList<>(rest.values());
    return new Comparison(base, now, differs(base, now), changes, onlyBase, onlyNow);
  }

  private static List<String> differs(RunFile base, RunFile now) {
    return FACTS.stream()
        .filter(name -> !base.fact(name).equals(now.fact(name)))
        .map(name -> name + ": " + known(base, name) + " → " + known(now, name))
        .toList();
  }

  private static String known(RunFile file, String name) {
    return file.fact(name).isEmpty() ? "unknown" : file.fact(name);
  }

  long count(Verdict verdict) {
    return changes.stream().filter(change -> change.verdict() == verdict).count();
  }

  /** What is not the same. */
  List<Change> beyondNoise() {
    return changes.stream().filter(change -> change.verdict() != Verdict.SAME).toList();
  }

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
  record Change(RunFile.Row base, RunFile.Row now, Verdict verdict) {
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

    static Change of(RunFile.Row base, RunFile.Row now, Sides sides) {
      return new Change(base, now, verdict(base, now, sides));
    }

    private static Verdict verdict(RunFile.Row base, RunFile.Row now, Sides sides) {
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
}
