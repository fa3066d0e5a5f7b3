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
import dev.offcut.bench.child.stream.Hello;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Suite {@code run}: programs alone, with the agent at a level, and as {@code offcut run} starts
 * them, which is the agent with a recording and a collection at the end: what is between the two is
 * Flight Recorder's. What is compared is the CPU time of the whole process in the same round.
 *
 * <p>A program that only prints a line says what is the same whatever a program does.
 *
 * <p>Against a program alone every level costs something: no row is ahead of another. What is
 * judged is the median of the ratios; beside it stands between which values it is to be expected.
 */
public final class RunSuite implements Suite {
  static final String ALONE = "alone";
  static final String AGENT = "agent-";
  static final String RUN = "run-";
  static final String START = "start";

  private static final String G1 = "G1";
  private static final int ROUNDS = 20;
  private static final int QUICK_ROUNDS = 2;
  private static final double SECONDS = 15;
  private static final double QUICK_SECONDS = 1.2;
  private static final double START_SECONDS = 0.5;
  private static final String OVER = "over_alone_cpu_ms";
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
    List<Case> cases = new ArrayList<>();
    App.ALL.forEach(app -> cases.add(of(app, quick)));
    cases.add(start(quick));
    return cases;
  }

  private Case of(App app, boolean quick) {
    int times = quick ? app.quickTimes() : app.times();
    List<Run> runs = new ArrayList<>();
    for (String impl : impls(quick)) {
      runs.add(
          Run.of(impl, G1, app.mainClass(), times)
              .jvm(app.jvm(agent(impl)))
              .classPath(
                  apps().resolve("offcut-apps.jar") + File.pathSeparator + apps().resolve("lib/*"))
              .process("")
              .estimate(quick ? QUICK_SECONDS : SECONDS));
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
  private static List<String> impls(boolean quick) {
    return quick
        ? List.of(ALONE, RUN + "sample", RUN + "count")
        : List.of(
            ALONE, AGENT + "sample", AGENT + "count", RUN + "sample", RUN + "count", RUN + "full");
  }

  private Case start(boolean quick) {
    List<Run> runs = new ArrayList<>();
    for (String impl : List.of(ALONE, AGENT + "off", AGENT + "sample", RUN + "sample")) {
      runs.add(Run.of(impl, G1, Hello.class).jvm(agent(impl)).process("").estimate(START_SECONDS));
    }
    return new Case(
        START,
        "a program that prints a line",
        List.of("cpu_ms", OVER),
        quick ? QUICK_ROUNDS : ROUNDS,
        runs,
        List.of(new Derived(OVER, "cpu_ms", ALONE)));
  }

  /** What puts the agent into a program: at the level that the name ends with. */
  private List<String> agent(String impl) {
    if (impl.equals(ALONE)) {
      return List.of();
    }
    String level = "level=" + impl.substring(impl.indexOf('-') + 1);
    String records =
        impl.startsWith(RUN) ? ",overwrite=on,record=" + recording + ",gcatexit=on" : "";
    return List.of("-javaagent:" + Agent.jar() + "=" + level + records);
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
      bars.add(ratio.atMost(1.03, RUN + "sample"));
      bars.add(ratio.atMost(1.02, RUN + "count"));
    }
    bars.add(new Place(START, OVER, G1, 1).atMost(150, AGENT + "sample"));
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
    return !impl.equals(ALONE);
  }

  /** A program alone is a baseline. */
  @Override
  public boolean isPeer(String impl) {
    return false;
  }
}
