package dev.offcut.junit;

import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A program that runs tests with each checker and with none, and prints tables of what was found
 * and what it cost. {@code java/integrations/junit/table.sh} starts it. Each run is a JVM of its
 * own; rounds are interleaved, and the medians of the rounds count.
 */
public final class Table {
  private static final int TESTS = 10_000;
  private static final int SECONDS = 600;
  private static final Set<String> LEAKING = Set.copyOf(NativeLeakTest.leaking(TESTS, 1));

  private final int rounds;
  private final String agent;
  private final Map<String, List<Run>> runs = new LinkedHashMap<>();

  private Table(int rounds, String agent) {
    this.rounds = rounds;
    this.agent = "-javaagent:" + agent + "=level=full,tables=off,quiet=on";
  }

  /** What a run found and took. */
  private record Run(double wall, double cpu, int failed, int wrong, int reports) {}

  /**
   * Runs it. The arguments are the number of rounds and the agent's jar; then what to print: a
   * number of calls of Math.sin, for tests with handles that do so much beside, or {@code netty}.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Table table = new Table(Integer.parseInt(args[0]), args[1]);
    for (String what : List.of(args).subList(2, args.length)) {
      if (what.equals("netty")) {
        table.printBuffers();
      } else {
        table.printHandles(what);
      }
    }
  }

  private void printHandles(String work) throws IOException, InterruptedException {
    List<String> none = List.of();
    Map<String, Subject> subjects = new LinkedHashMap<>();
    subjects.put("none", new Subject("shop.ManyUncheckedTests", none));
    subjects.put("@NoNativeLeaks", new Subject("shop.ManyTests", none));
    subjects.put("@NoNativeLeaks, agent", new Subject("shop.ManyTests", List.of(agent)));
    measure(subjects, List.of("-Dshop.noLeaks=true", "-Dshop.rounds=" + work));
    System.out.printf(
        Locale.ROOT,
        "%nHandles, none leaks; calls of Math.sin in a test: %s%n"
            + "| checker | time of a test (ms) | CPU of a test (ms) | time | CPU |%n"
            + "|---|---|---|---|---|%n",
        work);
    for (String name : runs.keySet()) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %.3f | %.3f | %s |%n",
          name,
          wall(name) / TESTS,
          cpu(name) / TESTS,
          over(name));
    }
  }

  private void printBuffers() throws IOException, InterruptedException {
    String unchecked = "shop.ManyBuffersUncheckedTests";
    String level = "-Dio.netty.leakDetection.level=";
    Map<String, Subject> subjects = new LinkedHashMap<>();
    subjects.put("none", new Subject(unchecked, List.of(level + "disabled")));
    subjects.put("Netty's detector, simple", new Subject(unchecked, List.of(level + "simple")));
    subjects.put("Netty's detector, paranoid", new Subject(unchecked, List.of(level + "paranoid")));
    subjects.put(
        "@NoNativeLeaks, agent",
        new Subject("shop.ManyBuffersTests", List.of(level + "disabled", agent)));
    measure(subjects, List.of("-Dshop.rounds=30000"));
    System.out.printf(
        Locale.ROOT,
        "%nBuffers of Netty, 500 leak%n"
            + "| checker | failing tests | false | reports | time | CPU |%n"
            + "|---|---|---|---|---|---|%n");
    runs.forEach(
        (name, all) ->
            System.out.printf(
                Locale.ROOT,
                "| %s | %d | %d | %d | %s |%n",
                name,
                all.get(0).failed,
                all.get(0).wrong,
                all.get(0).reports,
                over(name)));
  }

  private record Subject(String tests, List<String> options) {}

  private void measure(Map<String, Subject> subjects, List<String> options)
      throws IOException, InterruptedException {
    runs.clear();
    List<String> order = new ArrayList<>(subjects.keySet());
    for (int round = 0; round < rounds; round++) {
      for (String name : order) {
        Subject subject = Objects.requireNonNull(subjects.get(name));
        List<String> words = new ArrayList<>(options);
        words.addAll(subject.options);
        runs.computeIfAbsent(name, unseen -> new ArrayList<>()).add(run(subject.tests, words));
      }
      Collections.rotate(order, 1);
    }
    Map<String, List<Run>> inOrder = new LinkedHashMap<>();
    subjects.keySet().forEach(name -> inOrder.put(name, Objects.requireNonNull(runs.get(name))));
    runs.clear();
    runs.putAll(inOrder);
  }

  private static Run run(String tests, List<String> options)
      throws IOException, InterruptedException {
    ChildJvm.Output output =
        ChildJvm.with(options.toArray(new String[0]))
            .and("-Dshop.tests=" + TESTS, "-Dshop.onlyFailures=true")
            .and("-cp", System.getProperty("java.class.path"), TestRun.class.getName())
            .and(
                "junit.jupiter.execution.parallel.enabled=true",
                "junit.jupiter.execution.parallel.mode.default=concurrent",
                tests)
            .within(SECONDS)
            .run();
    int failed = 0;
    int wrong = 0;
    String test = "";
    for (String line : output.out()) {
      if (line.startsWith("=== FAILED ")) {
        failed++;
        test = line.substring("=== FAILED ".length());
        wrong += LEAKING.contains(test) ? 0 : 1;
      } else if (line.startsWith(NativeLeakError.class.getName())) {
        wrong += line.contains(" " + test + ":") ? 0 : 1;
      }
    }
    int reports = (int) output.err().stream().filter(line -> line.contains("LEAK: ")).count();
    return new Run(
        Double.parseDouble(output.value("=== ms")),
        Double.parseDouble(output.value("=== cpu")),
        failed,
        wrong,
        reports);
  }

  private String over(String name) {
    return String.format(
        Locale.ROOT, "%.3f | %.3f", wall(name) / wall("none"), cpu(name) / cpu("none"));
  }

  private double wall(String name) {
    return median(Objects.requireNonNull(runs.get(name)).stream().map(Run::wall).toList());
  }

  private double cpu(String name) {
    return median(Objects.requireNonNull(runs.get(name)).stream().map(Run::cpu).toList());
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
