package dev.offcut.bench.run;

import dev.offcut.bench.Agent;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Suite;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Suite {@code run}: what the agent with its default options costs whole programs that do not use
 * Offcut. CPU time of the whole process, beside that of the program alone in the same round.
 *
 * <p>The case {@code start}, a program that prints one line, shows the cost that every program has,
 * also over an agent that does nothing; {@code words} what the command itself costs, from the
 * archive that {@code ./offcut dist} made.
 */
public final class RunSuite implements Suite {
  private static final String ALONE = "alone";
  private static final String AGENT = "offcut-agent";
  private static final String IDLE = "idle-agent";
  private static final String RUN = "offcut-run";
  private static final List<String> METRICS = List.of("cpu_ms", "elapsed_ms");

  /** For what agents need and leave. */
  private final Path folder =
      Path.of(System.getProperty("java.io.tmpdir"), "offcut-bench-" + UUID.randomUUID());

  private final Path idle = folder.resolve("idle.jar");
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
    List<ChildRun> start =
        Stream.of(ALONE, IDLE, AGENT).map(impl -> hello(impl).jvm(agent(impl)).whole()).toList();
    cases.add(Case.of("start", "a program that prints a line", METRICS, quick, start));
    if (archive != null) {
      cases.add(words(quick));
    }
    return cases;
  }

  private Case of(App app, boolean quick) {
    String path = apps().resolve("offcut-apps.jar") + File.pathSeparator + apps().resolve("lib/*");
    int times = quick ? app.quickTimes() : app.times();
    List<ChildRun> runs =
        Stream.of(ALONE, AGENT)
            .map(
                impl ->
                    ChildRun.program(impl, app.mainClass(), times)
                        .jvm(agent(impl))
                        .classPath(path)
                        .whole())
            .toList();
    return Case.of(app.name(), app.summary(), METRICS, quick, runs);
  }

  /** Nothing else on its class path: the JVM looks through all of it for any agent's class. */
  private static ChildRun hello(String impl) {
    return ChildRun.program(impl, Hello.class).classPath(Agent.placeOf(Hello.class).toString());
  }

  /** The program alone, and under the command. */
  private Case words(boolean quick) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> hello =
        List.of(java, "-cp", Agent.placeOf(Hello.class).toString(), Hello.class.getName());
    List<String> run = new ArrayList<>(List.of(installed + "/bin/offcut", "run"));
    run.addAll(List.of("-f", "-o", folder.resolve("hello").toString(), "--"));
    run.addAll(hello);
    List<ChildRun> runs = List.of(ChildRun.command(ALONE, hello), ChildRun.command(RUN, run));
    return Case.of("words", "hello alone, and under `offcut run`", METRICS, quick, runs);
  }

  private List<String> agent(String impl) {
    return switch (impl) {
      case ALONE -> List.of();
      case IDLE -> List.of("-javaagent:" + idle);
      default -> List.of("-javaagent:" + Agent.jar());
    };
  }

  private static Path apps() {
    return Agent.target("evidence/apps");
  }

  @Override
  public List<String> leftOut() {
    return archive != null
        ? List.of()
        : List.of("words: there is no archive; `./offcut dist` makes it");
  }

  @Override
  public void prepare(List<Case> cases) throws IOException {
    if (!Files.isRegularFile(apps().resolve("offcut-apps.jar"))) {
      throw new IOException("its programs were not built; `./offcut bench run` builds them");
    }
    if (Agent.jar() == null) {
      throw new IOException(Agent.absence("no rows of the agent"));
    }
    Files.createDirectory(folder);
    Agent.deleteAtExit(folder);
    Agent.writeIdle(idle);
    if (cases.stream().anyMatch(of -> of.name().equals("words"))) {
      install();
    }
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

  @Override
  public List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    for (App app : App.ALL) {
      bars.add(new Place(app.name(), "cpu_ms").ratio(1.04, AGENT, ALONE));
    }
    bars.add(new Place("start", "cpu_ms").over(60, AGENT, IDLE));
    bars.add(new Place("words", "cpu_ms").ratio(5, RUN, ALONE));
    return bars;
  }

  /** All others are baselines. */
  @Override
  public boolean isPeer(String impl) {
    return false;
  }

  /** {@code start}: a program that does next to nothing. */
  static final class Hello {
    private Hello() {}

    public static void main(String[] args) {
      System.out.println("hello");
    }
  }

  /**
   * One of the programs of {@code java/evidence/apps}.
   *
   * @param name of its case
   * @param summary what it does
   * @param main its class
   * @param times its work, so that it takes some 15 s of CPU on a core of 2021
   * @param quickTimes likewise for a second, its start included
   */
  record App(String name, String summary, String main, int times, int quickTimes) {
    static final List<App> ALL =
        List.of(
            new App("oshi", "OSHI asks the system: JNA", "SystemFacts", 200, 5),
            new App("lucene", "Lucene: mapped files in arenas", "FullTextSearch", 14, 1),
            new App("netty", "Netty echoes, pooled", "EchoUnderLoad", 120, 3),
            new App("h2", "H2 in a file, with a function", "DatabaseSession", 20, 1));

    String mainClass() {
      return "dev.offcut.apps." + main;
    }
  }
}
