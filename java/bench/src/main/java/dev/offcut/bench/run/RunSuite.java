package dev.offcut.bench.run;

import dev.offcut.bench.Agent;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.Case.Derived;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Run;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Suite {@code run}: programs without the agent, and with it as {@code offcut run} starts them, at
 * each level. What is compared is the CPU time of the whole process, its start, its recording and
 * the collection at its end included, in the same round.
 *
 * <p>Against a program alone every level costs something: no row is ahead of another. What is
 * judged is the median of the ratios; beside it stands between which values it is to be expected.
 */
public final class RunSuite implements Suite {
  static final String ALONE = "alone";
  static final String OURS = "offcut-";

  private static final String G1 = "G1";
  private static final int ROUNDS = 20;
  private static final int QUICK_ROUNDS = 2;
  private static final double SECONDS = 15;
  private static final double QUICK_SECONDS = 1.2;
  private static final String RATIO = "cpu_ratio";
  private static final List<String> METRICS =
      List.of("cpu_ms", RATIO, RATIO + "_low", RATIO + "_high");

  private final Path recording =
      Path.of(System.getProperty("java.io.tmpdir"))
          .resolve("offcut-bench-" + ProcessHandle.current().pid() + ".jfr");

  @Override
  public String name() {
    return "run";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return App.ALL.stream().map(app -> of(app, quick)).toList();
  }

  private Case of(App app, boolean quick) {
    List<Run> runs = new ArrayList<>();
    runs.add(run(app, ALONE, List.of(), quick));
    for (String level : levels(quick)) {
      String options = "level=" + level + ",record=" + recording + ",overwrite=on,gcatexit=on";
      List<String> agent = List.of("-javaagent:" + Agent.jar() + "=" + options);
      runs.add(run(app, OURS + level, agent, quick));
    }
    return new Case(
        app.name(),
        app.summary(),
        METRICS,
        quick ? QUICK_ROUNDS : ROUNDS,
        runs,
        List.of(Derived.ratio(RATIO, "cpu_ms", ALONE)));
  }

  /** The quick form has no time for what has no bar. */
  private static List<String> levels(boolean quick) {
    return quick ? List.of("sample", "count") : List.of("sample", "count", "full");
  }

  private static Run run(App app, String impl, List<String> agent, boolean quick) {
    int times = quick ? app.quickTimes() : app.times();
    return Run.of(impl, G1, app.mainClass(), times)
        .jvm(app.jvm(agent))
        .classPath(apps().resolve("offcut-apps.jar") + File.pathSeparator + apps().resolve("lib/*"))
        .process("")
        .estimate(quick ? QUICK_SECONDS : SECONDS);
  }

  private static Path apps() {
    return Agent.target("apps");
  }

  @Override
  public List<Run> prepare(List<Case> cases) throws IOException {
    if (!Files.isRegularFile(apps().resolve("offcut-apps.jar"))) {
      throw new IOException("its programs were not built; `./offcut bench run` builds them");
    }
    if (Agent.jar() == null) {
      throw new IOException(Agent.absence("no rows of the agent"));
    }
    recording.toFile().deleteOnExit();
    return List.of();
  }

  @Override
  public List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    for (App app : App.ALL) {
      Place ratio = new Place(app.name(), RATIO, G1, 1);
      bars.add(ratio.atMost(1.03, OURS + "sample"));
      bars.add(ratio.atMost(1.02, OURS + "count"));
    }
    return List.copyOf(bars);
  }

  @Override
  public String version(String impl, Jdk jdk) {
    return isOurs(impl) ? Versions.of("dev.offcut", "offcut-handle") : jdk.version();
  }

  @Override
  public Better better(String metric) {
    return Better.LOWER;
  }

  @Override
  public boolean isOurs(String impl) {
    return impl.startsWith(OURS);
  }

  /** A program alone is a baseline. */
  @Override
  public boolean isPeer(String impl) {
    return false;
  }
}
