package dev.offcut.bench.compare;

import dev.offcut.bench.Sides;
import dev.offcut.bench.Sides.Better;
import dev.offcut.bench.compare.Comparison.Change.Verdict;
import dev.offcut.bench.read.RunFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

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

  /** Units whose values depend on how fast the machine is at the moment. */
  private static final Set<String> TIMES = Set.of("ns", "us", "ms", "s", "ops/ms", "ops/s");

  /** Stands for all implementations that are not ours. */
  private static final String ANY = "";

  static Comparison of(RunFile base, RunFile now, Sides sides) {
    Map<RunFile.Row.Key, RunFile.Row> rest = new LinkedHashMap<>();
    now.rows().forEach(row -> rest.put(row.key(), row));
    Map<RunFile.Row.Key, Double> machine = machine(base, rest, sides);
    List<Change> changes = new ArrayList<>();
    List<RunFile.Row> onlyBase = new ArrayList<>();
    for (RunFile.Row row : base.rows()) {
      RunFile.Row other = rest.remove(row.key());
      if (other == null) {
        onlyBase.add(row);
      } else {
        double others = machine.getOrDefault(row.key().by(ANY), Double.NaN);
        changes.add(Change.of(row, other, sides, others));
      }
    }
    changes.sort(Comparator.comparing(Change::verdict)); // stable: else in the order of the file
    List<RunFile.Row> onlyNow = new ArrayList<>(rest.values());
    return new Comparison(base, now, differs(base, now), changes, onlyBase, onlyNow);
  }

  /**
   * How much slower or faster the machine was in the new run, by what is not ours: for each case
   * and metric of time the median of new / base; of two in the middle the one that explains less.
   * At least two are needed.
   */
  private static Map<RunFile.Row.Key, Double> machine(
      RunFile base, Map<RunFile.Row.Key, RunFile.Row> now, Sides sides) {
    Map<RunFile.Row.Key, List<Double>> ratios = new LinkedHashMap<>();
    for (RunFile.Row row : base.rows()) {
      RunFile.Row other = now.get(row.key());
      if (other != null
          && TIMES.contains(row.unit())
          && !sides.isOurs(row.key().impl())
          && row.value() > 0) {
        ratios
            .computeIfAbsent(row.key().by(ANY), key -> new ArrayList<>())
            .add(other.value() / row.value());
      }
    }
    Map<RunFile.Row.Key, Double> medians = new LinkedHashMap<>();
    ratios.forEach(
        (key, all) -> {
          if (all.size() > 1) {
            all.sort(null);
            boolean higher = sides.better(key.metric()) == Better.HIGHER;
            medians.put(key, all.get((all.size() - (higher ? 0 : 1)) / 2));
          }
        });
    return medians;
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
   *   machine    = median of new / base of at least two others in the case, if that is worse; else 1
   *   regression = changed for the worse, one of ours, and |new / machine − base| &gt; 10 % of base
   * </pre>
   *
   * <p>What a peer does is no regression of ours: it says that the machine differed, or the peer's
   * version. From 0 any change for the worse is more than 10 %.
   *
   * @param others new / base of what is not ours, as {@code machine}; not a number if unknown
   */
  record Change(RunFile.Row base, RunFile.Row now, double others, Verdict verdict) {
    /** Part of the base from which on a change for the worse is a regression. */
    private static final double LIMIT = 0.10;

    /** What came of a row. The order is that of the report: what is to be acted on first. */
    enum Verdict {
      REGRESSION("REGRESSION"),
      /** Ours, worse by more than the limit, but no more so than what is not ours. */
      AS_OTHERS("as the others"),
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

    static Change of(RunFile.Row base, RunFile.Row now, Sides sides, double others) {
      return new Change(base, now, others, verdict(base, now, sides, others));
    }

    private static Verdict verdict(RunFile.Row base, RunFile.Row now, Sides sides, double others) {
      double change = now.value() - base.value();
      if (Math.abs(change) <= base.spread() + now.spread()) {
        return Verdict.SAME;
      }
      Better better = sides.better(base.key().metric());
      if (better == Better.NEITHER) {
        return Verdict.CHANGED;
      }
      boolean higher = better == Better.HIGHER;
      if (change > 0 == higher) {
        return Verdict.BETTER;
      }
      if (!isLarge(base.value(), now.value()) || !sides.isOurs(base.key().impl())) {
        return Verdict.WORSE;
      }
      boolean slower = higher ? others < 1 : others > 1; // neither if it is unknown
      return slower && !isWorse(base.value(), now.value() / others, higher)
          ? Verdict.AS_OTHERS
          : Verdict.REGRESSION;
    }

    private static boolean isLarge(double base, double now) {
      return Math.abs(now - base) > LIMIT * Math.abs(base);
    }

    private static boolean isWorse(double base, double now, boolean higher) {
      return now > base != higher && isLarge(base, now);
    }

    /** In percent of the base; infinite from 0. */
    double percent() {
      double change = now.value() - base.value();
      return change == 0 ? 0 : 100 * change / Math.abs(base.value());
    }

    /** Such as {@code +12.3 %}. */
    String percentText() {
      double percent = percent();
      return Double.isInfinite(percent) ? "from 0" : text(percent);
    }

    /** The same of what is not ours; empty if unknown. */
    String othersText() {
      return Double.isNaN(others) ? "" : text(100 * (others - 1));
    }

    private static String text(double percent) {
      return String.format(Locale.ROOT, "%+.1f %%", percent);
    }
  }
}
