package dev.offcut.bench.objectstream;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cases of suite {@code objectstream} in one of its two forms. In the quick one everything is
 * shorter, and what no bar needs waits for a later round, which a slow machine has no time for.
 */
final class ObjectstreamCases {
  static final String STOCK = "stock";
  static final String OURS = "offcut-agent";
  static final String GUARD = "guard-8246633";

  /** The guard in a program that constructed a class loader. */
  static final String GUARD_LOADER = GUARD + "-loader";

  static final String LIMIT = "fixed-loader";

  /** JBoss Marshalling, with a format of its own and with that of the JDK. */
  static final List<String> JBOSS = List.of("jboss-river", "jboss-serial");

  static final String IDLE_AGENT = "idle-agent";

  /** The cases that read a graph. */
  static final List<String> GRAPHS =
      List.of(
          "flat_10",
          "flat_100",
          "nest5_100",
          "nest20_100",
          "classes1000_nest5",
          "list_1000_integers");

  /** The nesting sweep of the profile: how many lists the graph is in. */
  private static final List<String> NESTED =
      List.of("flat_100", "nest1_100", "nest5_100", "nest20_100");

  private static final String PROFILED = "walk_";
  private static final List<String> SHARES =
      List.of("walk_percent", "descriptor_percent", "samples");

  private static final String G1 = "G1";

  /** The last ones are for what waits. */
  private static final int QUICK_ROUNDS = 4;

  private static final List<String> PER_OPERATION = List.of("cpu_us_per_op", "alloc_bytes_per_op");

  /**
   * What is compiled is waited for: else it depends on the machine's load whether the warm-up
   * reaches the last compilation, and what a read allocates on what was inlined by then.
   */
  private static final List<String> MEASURED =
      List.of("-Xbatch", "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch");

  /** Without it the JVM prints a warning, whose time would be measured. */
  private static final String ALLOWED = "--sun-misc-unsafe-memory-access=allow";

  /** The profiler is a library, and is told of more places than those where the JVM can stop. */
  private static final List<String> PROFILABLE =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:+DebugNonSafepoints");

  private final boolean quick;
  private final Programs programs;
  private final List<Jdk> jdks;
  private final @Nullable Path agent;
  private final @Nullable String sampledBy;

  /**
   * {@code jdks}: our own first; {@code agent} is null where there is none, {@code sampledBy} where
   * nothing can be profiled.
   */
  ObjectstreamCases(
      boolean quick,
      Programs programs,
      List<Jdk> jdks,
      @Nullable Path agent,
      @Nullable String sampledBy) {
    this.quick = quick;
    this.programs = programs;
    this.jdks = jdks;
    this.agent = agent;
    this.sampledBy = sampledBy;
  }

  List<Case> all() {
    List<Case> all = new ArrayList<>(timed());
    all.addAll(NESTED.stream().map(this::profiled).toList());
    return all;
  }

  /** Whether the rows of a case are of our own JDK alone. */
  static boolean isProfiled(Case of) {
    return of.name().startsWith(PROFILED);
  }

  private List<Case> timed() {
    return List.of(
        graph("flat_10", "10 objects of 10 classes in an array"),
        graph("flat_100", "100 objects of 10 classes in an array"),
        graph("nest5_100", "100 objects of 10 classes in 5 ArrayLists, nested"),
        graph("nest20_100", "100 objects of 10 classes in 20 ArrayLists, nested")
            .headline(17, "cpu_us_per_op", STOCK, OURS),
        graph("classes1000_nest5", "1,000 objects of as many classes in 5 ArrayLists, nested"),
        rmiRoundTrip(),
        graph("list_1000_integers", "an ArrayList of 1,000 Integers: an entry for each"),
        startup(),
        appcds());
  }

  private Case graph(String name, String what) {
    List<ChildRun> runs = new ArrayList<>();
    for (Jdk jdk : jdks) {
      for (String impl : List.of(STOCK, OURS, GUARD, GUARD_LOADER, LIMIT)) {
        add(
            runs,
            timed(ChildRun.of(impl, G1, ReadGraph.class, impl, name, warmUp(), seconds()), jdk));
      }
    }
    for (String impl : JBOSS) {
      ChildRun run = ChildRun.of(impl, G1, ReadGraph.class, impl, name, warmUp(), seconds());
      runs.add(
          timed(run, Jdk.OWN).classPath(withLibraries()).estimate(untilWarm() + seconds() + 0.8));
    }
    return of(name, "open a stream and read " + what, PER_OPERATION, runs);
  }

  /** The compiler never rests here, so the warm-up takes its limit: a shorter one. */
  private Case rmiRoundTrip() {
    List<ChildRun> runs = new ArrayList<>();
    for (Jdk jdk : jdks) {
      for (String impl : List.of(STOCK, OURS, GUARD, GUARD_LOADER)) {
        ChildRun run = ChildRun.of(impl, G1, RmiRoundTrip.class, impl, warmUp() / 2, seconds());
        add(runs, timed(run, jdk));
      }
    }
    String summary = "the graph of nest5_100 to and fro over RMI: CPU of caller and server thread";
    return of("rmi_roundtrip", summary, PER_OPERATION, runs);
  }

  private ChildRun timed(ChildRun run, Jdk jdk) {
    List<String> jvm = jvm(run.impl(), jdk);
    jvm.addAll(MEASURED);
    double rests = quick || !jdk.equals(Jdk.OWN) ? untilWarm() : 1.8 * warmUp();
    return on(jdk, run, jvm).estimate(rests + seconds() + 0.8).from(later(run.impl(), jdk));
  }

  /** On our own JDK alone: the profile is to show what the time of a read is made of. */
  private Case profiled(String graph) {
    List<ChildRun> runs = new ArrayList<>();
    if (sampledBy != null) {
      for (String impl : List.of(STOCK, OURS)) {
        add(runs, profiled(graph, impl, sampledBy));
      }
    }
    String summary = "read " + graph + " under async-profiler: the share of the stack walk";
    return of(PROFILED + graph, summary, SHARES, runs);
  }

  private ChildRun profiled(String graph, String impl, String event) {
    double seconds = quick ? 0.4 : 2;
    Path name = programs.profile(PROFILED + graph + "-" + impl);
    List<String> jvm = jvm(impl, Jdk.OWN);
    jvm.addAll(MEASURED);
    jvm.addAll(PROFILABLE);
    return ChildRun.of(impl, G1, ProfiledRead.class, impl, graph, event, name, warmUp(), seconds)
        .classPath(withLibraries())
        .jvm(jvm)
        .estimate(untilWarm() + seconds + 1)
        .from(quick ? 1 : 0);
  }

  private String withLibraries() {
    return programs.jar() + File.pathSeparator + System.getProperty("java.class.path");
  }

  /** Two programs, each a whole process; the second has an archive of its classes. */
  private Case startup() {
    List<ChildRun> runs = new ArrayList<>();
    for (Jdk jdk : jdks) {
      for (String impl : List.of(STOCK, IDLE_AGENT, OURS)) {
        add(runs, start(ChildRun.of(impl, G1, Hello.class).process("hello_"), jdk, List.of()));
        ChildRun load =
            ChildRun.of(impl, G1, LoadClasses.class, LeafClass.COUNT).process("appcds_");
        add(runs, start(load, jdk, List.of(shared(jdk))));
      }
    }
    return new Case(
        "startup",
        "CPU of a whole process: hello, and a program of 1,000 classes with AppCDS",
        List.of(
            "hello_cpu_ms", "hello_over_stock_cpu_ms", "appcds_cpu_ms", "appcds_over_idle_cpu_ms"),
        quick ? QUICK_ROUNDS : Case.ROUNDS,
        runs,
        List.of(
            new Case.Derived("hello_over_stock_cpu_ms", "hello_cpu_ms", STOCK),
            new Case.Derived("appcds_over_idle_cpu_ms", "appcds_cpu_ms", IDLE_AGENT)));
  }

  private Case appcds() {
    List<ChildRun> runs = new ArrayList<>();
    for (Jdk jdk : jdks) {
      for (String impl : List.of(STOCK, OURS)) {
        Path log = programs.log();
        String logging = "-Xlog:class+load:file=" + log + "::filecount=0";
        ChildRun run = ChildRun.of(impl, G1, LoadClasses.class, LeafClass.COUNT, log);
        add(runs, start(run, jdk, List.of(shared(jdk), logging)));
      }
    }
    String summary = "a program of 1,000 classes with AppCDS: how many come from the archive";
    return of("appcds_1000", summary, List.of("classes_from_archive"), runs);
  }

  private ChildRun start(ChildRun run, Jdk jdk, List<String> options) {
    List<String> jvm = jvm(run.impl(), jdk);
    jvm.addAll(options);
    return on(jdk, run, jvm).estimate(0.4).from(later(run.impl(), jdk));
  }

  private ChildRun on(Jdk jdk, ChildRun run, List<String> jvm) {
    return run.on(jdk).classPath(programs.jar().toString()).jvm(jvm);
  }

  /** Makes the archive of the program. */
  ChildRun archiving(Jdk jdk) {
    String archive = "-XX:ArchiveClassesAtExit=" + programs.archive(jdk);
    return on(
        jdk, ChildRun.of("archive", G1, LoadClasses.class, LeafClass.COUNT), List.of(archive));
  }

  private String shared(Jdk jdk) {
    return "-XX:SharedArchiveFile=" + programs.archive(jdk);
  }

  private List<String> jvm(String impl, Jdk jdk) {
    List<String> jvm = new ArrayList<>();
    switch (impl) {
      case OURS -> jvm.add("-javaagent:" + agent);
      case IDLE_AGENT -> jvm.add("-javaagent:" + programs.idleAgent());
      case GUARD, GUARD_LOADER -> {
        jvm.add("--patch-module=java.base=" + programs.guard(jdk));
        jvm.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"); // to look at the flag
      }
      case "jboss-river", "jboss-serial" -> jvm.add(ALLOWED);
      default -> {} // as it is
    }
    return jvm;
  }

  private void add(List<ChildRun> runs, ChildRun run) {
    if (agent != null || !run.impl().equals(OURS)) {
      runs.add(run);
    }
  }

  private double warmUp() {
    return quick ? 0.3 : 0.7;
  }

  /**
   * Seconds until the warm-up ends: measured as 3.5 times its CPU time, as it awaits the compiler.
   */
  private double untilWarm() {
    return 3.5 * warmUp();
  }

  private double seconds() {
    return quick ? 0.15 : 0.4;
  }

  /** In the quick form ours and the stock stream come first, and the older JDK last. */
  private int later(String impl, Jdk jdk) {
    if (!quick) {
      return 0;
    }
    if (!jdk.equals(Jdk.OWN)) {
      return 3;
    }
    return impl.startsWith(GUARD) || JBOSS.contains(impl) ? 2 : impl.equals(LIMIT) ? 1 : 0;
  }

  private Case of(String name, String summary, List<String> metrics, List<ChildRun> runs) {
    return new Case(name, summary, metrics, quick ? QUICK_ROUNDS : Case.ROUNDS, runs, List.of());
  }
}
