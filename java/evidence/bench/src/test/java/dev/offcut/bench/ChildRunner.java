package dev.offcut.bench;

import dev.offcut.bench.ChildJvm.ChildFailure;
import dev.offcut.bench.child.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Runs a child for the tests of a suite, with one compiler: it does not run for long. */
public final class ChildRunner {
  private static final long LIMIT_SECONDS = 60;

  private ChildRunner() {}

  /** The names of what it reports. */
  public static Set<String> metrics(ChildRun run) throws ChildFailure {
    return figures(run).keySet();
  }

  /** What it reports, by name. */
  public static Map<String, Double> figures(ChildRun run) throws ChildFailure {
    List<String> options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
    options.addAll(run.jvmArgs());
    ChildRun own = run.jvm(options);
    return new ChildJvm()
        .run(own, LIMIT_SECONDS).stream().collect(Collectors.toMap(Figure::metric, Figure::value));
  }
}
