package dev.offcut.bench.leaks;

import dev.offcut.bench.Agent;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.Case.Derived;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.MemoryTool;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/**
 * Suite {@code leaks}: the Leak Collection under Offcut and under other tools. A case is a leak:
 * its program runs broken and fixed, and what the tool says is compared with the truth.
 */
public final class LeaksSuite implements Suite {
  static final String OFFCUT = "offcut";
  static final String OFFCUT_NATIVE = "offcut-native";

  /** All tools in the order of the table, here or not: results of another machine have more. */
  static final List<String> TOOLS =
      List.of(
          OFFCUT,
          OFFCUT_NATIVE,
          Peers.AsyncProfiler.NAME,
          Peers.NmtDiff.NAME,
          MemoryTool.NETTY_SIMPLE,
          MemoryTool.NETTY_PARANOID,
          Peers.Jemalloc.NAME);

  /** Metrics: 1 is found, 0.5 partly, 0 not; 1 is an alarm of a program that does not leak. */
  static final String FOUND = "found";

  static final String ALARM = "false_alarm";
  static final String PROPOSES = "proposes_switch";
  static final String CPU_RATIO = "cpu_ratio";
  static final String PEAK_RATIO = "peak_ratio";

  private static final String G1 = "G1";

  /** Of all tools; what the bars are about, Offcut, until the bars are decided. */
  private static final int ROUNDS = 2;

  /** What is found does not depend on time; what it costs is no figure to compare, see below. */
  private static final int AT_A_TIME = 2;

  private static final double SECONDS = 6.5;
  private static final double QUICK_SECONDS = 5;

  /** What is built and run in seconds, one of each kind of finding. */
  private static final List<String> QUICK = List.of("auto_arenas", "shared_arenas", "deflaters");

  private static final List<String> METRICS =
      List.of(FOUND, ALARM, PROPOSES, "cpu_ms", CPU_RATIO, "peak_mib", PEAK_RATIO);

  /** All tools that are there, the baseline first. */
  static List<Finder> finders() {
    List<Finder> all = new ArrayList<>();
    all.add(new Finder.Alone());
    all.add(new OffcutRun(OFFCUT, List.of()));
    all.add(new OffcutRun(OFFCUT_NATIVE, List.of("--native")));
    all.addAll(Peers.all());
    return all;
  }

  static Finder finder(String name) {
    return finders().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  @Override
  public String name() {
    return "leaks";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return Leak.all().stream()
        .filter(leak -> !quick || QUICK.contains(leak.name()))
        .map(leak -> of(leak, quick))
        .toList();
  }

  private static Case of(Leak leak, boolean quick) {
    List<ChildRun> runs = new ArrayList<>();
    for (Finder finder : finders()) {
      boolean isOurs = finder instanceof Finder.Alone || finder instanceof OffcutRun;
      if (finder.appliesTo(leak) && (!quick || isOurs)) {
        runs.add(
            ChildRun.of(finder.name(), G1, LeakChild.class, finder.name(), leak.name())
                .estimate(quick ? QUICK_SECONDS : SECONDS));
      }
    }
    return new Case(
            leak.name(),
            leak.what(),
            METRICS,
            quick ? 1 : ROUNDS,
            runs,
            List.of(
                Derived.ratio(CPU_RATIO, "cpu_ms", Finder.Alone.NAME),
                Derived.ratio(PEAK_RATIO, "peak_mib", Finder.Alone.NAME)))
        .together(AT_A_TIME);
  }

  @Override
  public List<ChildRun> prepare(List<Case> cases) throws IOException {
    if (!Files.isRegularFile(Program.jar())) {
      throw new IOException("its programs were not built; `./offcut bench leaks` builds them");
    }
    if (Agent.jar() == null) {
      throw new IOException(Agent.absence("no rows of Offcut"));
    }
    return List.of();
  }

  @Override
  public List<LeftOut> leftOut() {
    List<String> missing = Peers.missing();
    return Leak.all().stream()
        .flatMap(leak -> missing.stream().map(what -> new LeftOut(leak.name(), what)))
        .toList();
  }

  @Override
  public List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    for (Leak leak : Leak.all()) {
      bars.add(new Place(leak.name(), FOUND, G1, 1).exactly(1, OFFCUT));
      bars.add(new Place(leak.name(), ALARM, G1, 1).exactly(0, OFFCUT));
    }
    return List.copyOf(bars);
  }

  @Override
  public List<List<String>> overview(Values values) {
    return LeaksTable.of(values);
  }

  @Override
  public String version(String impl, Jdk jdk) {
    return isOurs(impl)
        ? Versions.of("dev.offcut", "offcut-handle")
        : MemoryTool.version(impl, jdk);
  }

  /**
   * What the tools find. What they cost stands in the last lines of the table, for all programs
   * together: they run for a second at most, and a tool's start would decide each of them. Suite
   * {@code run} measures the cost.
   */
  @Override
  public Better better(String metric) {
    return switch (metric) {
      case FOUND -> Better.HIGHER;
      case ALARM -> Better.LOWER;
      default -> Better.NEITHER;
    };
  }

  @Override
  public boolean isOurs(String impl) {
    return impl.startsWith(OFFCUT);
  }

  @Override
  public boolean isPeer(String impl) {
    return !isOurs(impl) && !impl.equals(Finder.Alone.NAME);
  }
}
