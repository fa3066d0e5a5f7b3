package dev.offcut.bench.leaks;

import dev.offcut.bench.Agent;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Samples;
import dev.offcut.bench.Samples.Series;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Suite {@code leaks}: the Leak Collection under Offcut and under other tools. A case is a leak:
 * its program runs broken and fixed, and what the tool says is compared with the truth.
 */
public final class LeaksSuite implements Suite {
  public static final String NAME = "leaks";

  static final String OFFCUT = OffcutRun.DEFAULT.name();

  /** All tools in the order of the table, here or not: results of another machine have more. */
  static final List<String> TOOLS =
      List.of(OFFCUT, OffcutRun.WITHOUT_RULES.name(), Peers.AsyncProfiler.NAME, Peers.NmtDiff.NAME);

  /** Metrics: 1 is found, 0.5 partly, 0 not; 1 is an alarm of a program that does not leak. */
  static final String FOUND = "found";

  static final String ALARM = "false_alarm";

  /** The case of the sums over all leaks. */
  static final String ALL = "all";

  /** What is found does not depend on time. */
  private static final int AT_A_TIME = 2;

  /** What is built and run in seconds, one of each kind of finding. */
  private static final List<String> QUICK = List.of("auto_arenas", "shared_arenas", "deflaters");

  private static final List<String> METRICS = List.of(FOUND, ALARM);

  /** All tools that are there. */
  static List<Finder> finders() {
    List<Finder> all = new ArrayList<>();
    all.add(OffcutRun.DEFAULT);
    all.add(OffcutRun.WITHOUT_RULES);
    all.addAll(Peers.all());
    return all;
  }

  static Finder finder(String name) {
    return finders().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Case> cases(boolean quick) {
    return Leak.all().stream()
        .filter(leak -> !quick || QUICK.contains(leak.name()))
        .filter(Leak::canRun)
        .map(leak -> of(leak, quick))
        .toList();
  }

  private static Case of(Leak leak, boolean quick) {
    List<ChildRun> runs = new ArrayList<>();
    for (Finder finder : finders()) {
      if (!quick || finder.equals(OffcutRun.DEFAULT)) {
        runs.add(ChildRun.program(finder.name(), LeakChild.class, finder.name(), leak.name()));
      }
    }
    return Case.of(leak.name(), leak.what(), METRICS, quick, runs).rounds(1).together(AT_A_TIME);
  }

  @Override
  public void prepare(List<Case> cases) throws IOException {
    if (!Files.isRegularFile(Program.jar())) {
      throw new IOException("its programs were not built; `./offcut bench leaks` builds them");
    }
    if (Agent.jar() == null) {
      throw new IOException(Agent.absence("no rows of Offcut"));
    }
  }

  @Override
  public List<String> leftOut() {
    Stream<String> leaks =
        Leak.all().stream()
            .filter(leak -> !leak.canRun())
            .map(leak -> leak.name() + ": " + leak.needs() + " is not on this machine");
    return Stream.concat(Peers.missing().stream(), leaks).toList();
  }

  @Override
  public List<Bar> bars() {
    return List.of(
        new Place(ALL, FOUND).atLeast(46, OFFCUT), new Place(ALL, ALARM).atMost(0, OFFCUT));
  }

  /** The sums over all leaks, if all were looked at: how many are found, and how many alarms. */
  @Override
  public void total(Samples samples) {
    for (String metric : METRICS) {
      List<Double> all = new ArrayList<>();
      for (Leak leak : Leak.all()) {
        all.addAll(samples.of(new Series(leak.name(), OFFCUT, 1, metric)).values());
      }
      if (!all.isEmpty() && all.size() == Leak.all().size()) {
        double sum = all.stream().filter(value -> value >= 1).count();
        samples.add(new Series(ALL, OFFCUT, 1, metric), 0, sum, "count");
      }
    }
  }

  @Override
  public List<List<String>> overview(Samples samples) {
    return LeaksTable.of(samples);
  }

  @Override
  public String version(String impl) {
    return switch (impl) {
      case Peers.AsyncProfiler.NAME -> Versions.of("tools.profiler", "async-profiler");
      default -> Suite.super.version(impl);
    };
  }

  @Override
  public Better better(String metric) {
    return switch (metric) {
      case FOUND -> Better.HIGHER;
      case ALARM -> Better.LOWER;
      default -> Better.NEITHER;
    };
  }
}
