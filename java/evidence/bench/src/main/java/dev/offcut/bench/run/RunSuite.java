package dev.offcut.bench.run;

import dev.offcut.bench.Agent;
import dev.offcut.bench.Agent.Jar;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.Case.Derived;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.MemoryTool;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import dev.offcut.bench.objectstream.Hello;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Suite {@code run}: programs alone and with the agent at a level. The suite compares the CPU time
 * of the whole process in the same round.
 *
 * <p>The case {@code start}, a program that prints one line, shows the cost that every program has.
 * It also has a row with an agent that does nothing.
 *
 * <p>The cases {@code …_tools} are three of these programs with more of ours and under other tools
 * that look for native memory. Ours are a recording and a collection at exit, as {@code offcut run
 * --record} makes them, whose difference is the cost of Flight Recorder; and every stack. What each
 * tool finds is measured by the suite {@code leaks}.
 *
 * <p>The case {@code arenas} shows what the agent adds to the memory of a program that makes
 * arenas, and {@code words} what the command itself costs, from the archive that {@code ./offcut
 * dist} made.
 *
 * <p>The bars judge the median of the ratios; a confidence interval of the median is reported
 * beside it.
 */
public final class RunSuite implements Suite {
  static final String ALONE = "alone";
  static final String AGENT = "agent-";
  static final String RUN = "run-";
  static final String START = "start";

  /** An agent that does nothing. */
  static final String IDLE = "idle-agent";

  /** Behind the name of a program. */
  static final String TOOLS = "_tools";

  private static final String G1 = "G1";

  /** Of cases that have no bar and take minutes a round. */
  private static final int FEW_ROUNDS = 2;

  private static final int QUICK_ROUNDS = 2;
  private static final double START_SECONDS = 0.5;
  private static final String OVER = "over_alone_cpu_ms";
  private static final String RATIO = "cpu_ratio";
  private static final List<String> METRICS =
      List.of("cpu_ms", RATIO, RATIO + "_low", RATIO + "_high");

  /** A loop of arenas, by the most memory of its process. */
  static final String ARENAS = "arenas";

  /** The same where each arena is an object, as it is if an agent sees it. */
  static final String OBJECTS = "alone-objects";

  /** The command, as it is installed. */
  static final String WORDS = "words";

  private static final String OFFCUT = "offcut-";
  private static final int LOOPS = 3_000_000;

  /** For what agents and tools need and leave. */
  private final Path folder =
      Path.of(System.getProperty("java.io.tmpdir"))
          .resolve("offcut-bench-" + ProcessHandle.current().pid());

  private final Path recording = folder.resolve("run.jfr");
  private final Path idle = folder.resolve("idle.jar");
  private final Path profiler = folder.resolve("libasyncProfiler.so");
  private final Path installed = folder.resolve("installed");
  private final @Nullable Path archive;

  /** With the archive that {@code ./offcut dist} made last, if there is one. */
  public RunSuite() {
    this(archive());
  }

  RunSuite(@Nullable Path archive) {
    this.archive = archive;
  }

  private static @Nullable Path archive() {
    try (Stream<Path> files = Files.list(Agent.target("."))) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).matches("offcut-.*\\.tar\\.gz"))
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
          .orElse(null);
    } catch (IOException e) {
      return null; // nothing was built
    }
  }

  @Override
  public String name() {
    return "run";
  }

  @Override
  public List<Case> cases(boolean quick) {
    List<Case> cases = new ArrayList<>();
    App.ALL.forEach(app -> cases.add(of(app, quick)));
    App.UNDER_TOOLS.forEach(app -> cases.add(tools(app, quick)));
    cases.add(start(quick));
    cases.add(arenas(quick));
    if (archive != null) {
      cases.add(words(quick));
    }
    return cases;
  }

  private Case of(App app, boolean quick) {
    List<String> impls = List.of(ALONE, AGENT + "sample", AGENT + "count");
    Work work = quick ? Work.QUICK : Work.FULL;
    return of(
        app.name(),
        app.summary(),
        quick ? QUICK_ROUNDS : Case.ROUNDS,
        runs(app, work, quick ? impls.subList(0, 2) : impls));
  }

  private Case tools(App app, boolean quick) {
    List<String> ours =
        List.of(ALONE, AGENT + "sample", RUN + "sample", RUN + "count", AGENT + "full");
    Work work = quick ? Work.QUICK : Work.HALF;
    List<ChildRun> runs = new ArrayList<>(runs(app, work, quick ? ours.subList(0, 3) : ours));
    for (MemoryTool tool : others(app)) {
      runs.add(run(app, work, tool.name(), tool.options()).environment(tool.environment()));
    }
    return of(
        app.name() + TOOLS,
        app.summary() + "; recorded, every stack, and other tools; half of the work",
        quick ? 1 : FEW_ROUNDS,
        runs);
  }

  /** The other tools that are here and say something about this program. */
  private List<MemoryTool> others(App app) {
    List<MemoryTool> tools = new ArrayList<>(List.of(MemoryTool.nmt()));
    if (MemoryTool.isAsyncProfilerHere()) {
      tools.add(MemoryTool.asyncProfiler(profiler, recording));
    }
    Path jemalloc = MemoryTool.jemallocLibrary();
    if (jemalloc != null) {
      tools.add(MemoryTool.jemalloc(jemalloc, folder.resolve("jemalloc")));
    }
    if (app.name().startsWith("netty")) {
      tools.add(MemoryTool.netty(MemoryTool.NETTY_SIMPLE));
      tools.add(MemoryTool.netty(MemoryTool.NETTY_PARANOID));
    }
    return tools;
  }

  @Override
  public List<LeftOut> leftOut() {
    List<LeftOut> all = new ArrayList<>();
    if (MemoryTool.jemallocLibrary() == null) {
      for (App app : App.UNDER_TOOLS) {
        all.add(new LeftOut(app.name() + TOOLS, MemoryTool.jemallocAbsence()));
      }
    }
    if (archive == null) {
      all.add(new LeftOut(WORDS, "no rows: there is no archive; `./offcut dist` makes it"));
    }
    return all;
  }

  private static Case of(String name, String summary, int rounds, List<ChildRun> runs) {
    return new Case(
        name, summary, METRICS, rounds, runs, List.of(Derived.ratio(RATIO, "cpu_ms", ALONE)));
  }

  private List<ChildRun> runs(App app, Work work, List<String> impls) {
    return impls.stream().map(impl -> run(app, work, impl, agent(impl))).toList();
  }

  private static ChildRun run(App app, Work work, String impl, List<String> options) {
    return ChildRun.of(impl, G1, app.mainClass(), work.times(app))
        .jvm(app.jvm(options))
        .classPath(apps().resolve("offcut-apps.jar") + File.pathSeparator + apps().resolve("lib/*"))
        .process("")
        .estimate(work.seconds);
  }

  /** How much of its work a program does. */
  private enum Work {
    /** What the bars are about: the agent's start is a small part of it. */
    FULL(9),
    /** What has no bar, and takes minutes a round. */
    HALF(6),
    QUICK(1.2);

    private final double seconds;

    Work(double seconds) {
      this.seconds = seconds;
    }

    int times(App app) {
      return switch (this) {
        case FULL -> app.times();
        case HALF -> app.times() / 2;
        case QUICK -> app.quickTimes();
      };
    }
  }

  private Case start(boolean quick) {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : List.of(ALONE, IDLE, AGENT + "off", AGENT + "sample", RUN + "sample")) {
      // Nothing else on its class path: the JVM looks through all of it for any agent's class.
      runs.add(
          ChildRun.of(impl, G1, Hello.class)
              .classPath(Jar.placeOf(Hello.class).toString())
              .jvm(agent(impl))
              .process("")
              .estimate(START_SECONDS));
    }
    return new Case(
            START,
            "a program that prints a line",
            List.of("cpu_ms", OVER),
            quick ? QUICK_ROUNDS : Case.ROUNDS,
            runs,
            List.of(new Derived(OVER, "cpu_ms", ALONE)))
        .headline(17, "cpu_ms", ALONE, AGENT + "sample");
  }

  private Case arenas(boolean quick) {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : List.of(OBJECTS, ALONE, AGENT + "sample")) {
      runs.add(
          ChildRun.of(impl, G1, ArenaLoop.class, LOOPS)
              .jvm(impl.equals(OBJECTS) ? List.of("-XX:-DoEscapeAnalysis") : agent(impl))
              .estimate(START_SECONDS));
    }
    return new Case(
        ARENAS,
        "3 million arenas, one after the other: the most memory",
        List.of("max_rss_mb", "rss_ratio"),
        quick ? QUICK_ROUNDS : Case.ROUNDS,
        runs,
        List.of(Derived.ratio("rss_ratio", "max_rss_mb", OBJECTS)));
  }

  /** Without options: those that have some take longer, as they are parsed. */
  private Case words(boolean quick) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String offcut = installed.resolve("bin/offcut").toString();
    List<String> hello =
        List.of(java, "-cp", Jar.placeOf(Hello.class).toString(), Hello.class.getName());
    List<String> run = new ArrayList<>(List.of(offcut, "run", "--"));
    run.addAll(hello);
    List<ChildRun> runs =
        List.of(
            started(ALONE, hello),
            started(OFFCUT + "help", List.of(offcut, "--help")),
            started(OFFCUT + "ps", List.of(offcut, "ps")),
            started(OFFCUT + "run", run));
    return new Case(
        WORDS,
        "the command from its archive, and the program that it runs",
        List.of("elapsed_ms", "cpu_ms", RATIO),
        quick ? QUICK_ROUNDS : Case.ROUNDS,
        runs,
        List.of(Derived.ratio(RATIO, "cpu_ms", ALONE)));
  }

  private ChildRun started(String impl, List<String> command) {
    List<Object> words = new ArrayList<>(List.of(installed));
    words.addAll(command);
    return ChildRun.of(impl, G1, Started.class, words.toArray()).estimate(2 * START_SECONDS);
  }

  /** What puts the agent into a program: at the level that the name ends with. */
  private List<String> agent(String impl) {
    if (impl.equals(ALONE)) {
      return List.of();
    }
    if (impl.equals(IDLE)) {
      return List.of("-javaagent:" + idle);
    }
    String level = "level=" + impl.substring(impl.indexOf('-') + 1);
    String records =
        impl.startsWith(RUN) ? ",overwrite=on,record=" + recording + ",gcatexit=on" : "";
    return List.of("-javaagent:" + Agent.jar() + "=" + level + records);
  }

  private static Path apps() {
    return Agent.target("evidence/apps");
  }

  @Override
  public List<ChildRun> prepare(List<Case> cases) throws IOException {
    if (!Files.isRegularFile(apps().resolve("offcut-apps.jar"))) {
      throw new IOException("its programs were not built; `./offcut bench run` builds them");
    }
    if (Agent.jar() == null) {
      throw new IOException(Agent.absence("no rows of the agent"));
    }
    Files.createDirectory(folder);
    Runtime.getRuntime().addShutdownHook(new Thread(this::deleteFolder, "end of " + folder));
    Agent.writeIdle(idle);
    if (MemoryTool.isAsyncProfilerHere()) {
      MemoryTool.writeAsyncProfiler(profiler);
    }
    if (cases.stream().anyMatch(of -> of.name().equals(WORDS))) {
      install();
    }
    return List.of();
  }

  private void install() throws IOException {
    Files.createDirectory(installed);
    Process tar =
        new ProcessBuilder(
                "tar",
                "-xzf",
                String.valueOf(archive),
                "--strip-components=1",
                "-C",
                installed + "")
            .inheritIO()
            .start();
    if (tar.onExit().join().exitValue() != 0) {
      throw new IOException(archive + " cannot be unpacked; `./offcut dist` makes it");
    }
  }

  private void deleteFolder() {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      // the system clears its folder of temporary files
    }
  }

  @Override
  public List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    for (App app : App.ALL) {
      Place ratio = new Place(app.name(), RATIO, G1, 1);
      bars.add(ratio.atMost(1.03, AGENT + "sample"));
      bars.add(ratio.atMost(1.02, AGENT + "count"));
    }
    bars.add(new Place(START, OVER, G1, 1).atMost(150, AGENT + "sample"));
    bars.add(new Place(ARENAS, "rss_ratio", G1, 1).atMost(1.3, AGENT + "sample"));
    bars.add(new Place(WORDS, RATIO, G1, 1).atMost(8.7, OFFCUT + "run"));
    Place elapsed = new Place(WORDS, "elapsed_ms", G1, 1);
    bars.add(elapsed.atMost(150, OFFCUT + "help"));
    bars.add(elapsed.atMost(150, OFFCUT + "ps"));
    return List.copyOf(bars);
  }

  @Override
  public String version(String impl, Jdk jdk) {
    if (isOurs(impl)) {
      return Versions.of("dev.offcut", "offcut-handle");
    }
    return isPeer(impl) ? MemoryTool.version(impl, jdk) : jdk.version();
  }

  /** The bounds of an interval are no figure of their own. */
  @Override
  public Better better(String metric) {
    return metric.endsWith("_low") || metric.endsWith("_high") ? Better.NEITHER : Better.LOWER;
  }

  @Override
  public boolean isOurs(String impl) {
    return impl.startsWith(AGENT) || impl.startsWith(RUN) || impl.startsWith(OFFCUT);
  }

  /** A program alone is a baseline, and so is the idle agent. */
  @Override
  public boolean isPeer(String impl) {
    return !isOurs(impl) && !List.of(ALONE, OBJECTS, IDLE).contains(impl);
  }

  /**
   * One of the programs of {@code java/evidence/apps}.
   *
   * @param name of its case
   * @param summary what it does
   * @param main its class
   * @param options for its JVM
   * @param times its work, so that it takes some 15 s of CPU on a core of 2021
   * @param quickTimes likewise for a second, its start included
   */
  record App(
      String name, String summary, String main, List<String> options, int times, int quickTimes) {
    private static final String PACKAGE = "dev.offcut.apps.";

    /** Netty without its pool closes a direct buffer for each message, if it may use Unsafe. */
    private static final List<String> UNPOOLED =
        List.of(
            "-Dio.netty.allocator.type=unpooled",
            "-Dio.netty.noUnsafe=false",
            "--sun-misc-unsafe-memory-access=allow");

    static final List<App> ALL =
        List.of(
            new App("oshi", "OSHI asks the system: JNA", "SystemFacts", List.of(), 200, 5),
            new App("lucene", "Lucene: mapped files in arenas", "FullTextSearch", List.of(), 14, 1),
            new App("netty", "Netty echoes, pooled", "EchoUnderLoad", List.of(), 120, 3),
            new App("netty_unpooled", "the same, unpooled", "EchoUnderLoad", UNPOOLED, 120, 3),
            new App("h2", "H2 in a file, with a function", "DatabaseSession", List.of(), 20, 1),
            new App("rmi", "RMI calls with objects", "RemoteCalls", List.of(), 20, 1));

    /** Those that other tools are measured on: mappings, direct buffers, and files. */
    static final List<App> UNDER_TOOLS =
        ALL.stream()
            .filter(app -> List.of("lucene", "netty_unpooled", "h2").contains(app.name))
            .toList();

    String mainClass() {
      return PACKAGE + main;
    }

    /** What its JVM is given, after what comes first. */
    List<String> jvm(List<String> first) {
      List<String> jvm = new ArrayList<>(first);
      jvm.addAll(options);
      return jvm;
    }
  }
}
