package dev.offcut.bench;

import dev.offcut.bench.ChildJvm.ChildFailure;
import dev.offcut.bench.child.Figure;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** One fork of JMH: a benchmark with one implementation. {@link Rounds} lets forks take turns. */
final class Loop {
  /** A first look. */
  static final String QUICK = "offcut.bench.quick";

  private static final String CPU = "cpu";
  private static final Map<String, String> METRICS =
      Map.of(
          CPU,
          "cpu_ns_per_op",
          "gc.alloc.rate.norm",
          "alloc_bytes_per_op",
          "gc.alloc.rate",
          "alloc_mb_per_s",
          "gc.count",
          "gc_count",
          "gc.time",
          "gc_time_ms");

  private Loop() {}

  static List<Figure> run(ChildRun run) throws ChildFailure {
    System.setProperty("jmh.ignoreLock", "true"); // another user's JMH is no reason to fail
    boolean quick = Boolean.getBoolean(QUICK);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(run.main() + ".") + "\\w+$")
            .param("impl", run.impl())
            .forks(1)
            .jvmArgs(Objects.requireNonNull(run.jvm()).toArray(String[]::new))
            .jvmArgsAppend("-XX:+Use" + ChildJvm.GC + "GC", "--sun-misc-unsafe-memory-access=allow")
            .threads(run.threads())
            .timeUnit(TimeUnit.NANOSECONDS)
            .mode(org.openjdk.jmh.annotations.Mode.AverageTime)
            .warmupIterations(quick ? 1 : 6)
            .warmupTime(TimeValue.milliseconds(250))
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(quick ? 100 : 500))
            .addProfiler(CpuOfWorkers.class.getName())
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    Objects.requireNonNull(run.params()).forEach((name, value) -> options.param(name, value));
    try {
      return figures(new Runner(options.build()).runSingle(), run.threads());
    } catch (RunnerException e) {
      Throwable cause = e;
      while (cause.getCause() != null || cause.getSuppressed().length > 0) {
        cause = cause.getCause() != null ? cause.getCause() : cause.getSuppressed()[0];
      }
      throw new ChildFailure(cause.toString());
    }
  }

  /** Wall time is by the operations of all threads. */
  private static List<Figure> figures(RunResult result, int threads) {
    double wall = result.getPrimaryResult().getScore() / threads;
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure("wall_ns_per_op", wall, "ns"));
    figures.add(new Figure("ops_per_ms", 1e6 / wall, "ops/ms"));
    result
        .getSecondaryResults()
        .forEach(
            (name, secondary) -> {
              String metric = METRICS.get(name.replace("·", ""));
              if (metric != null) {
                figures.add(new Figure(metric, rounded(metric, secondary), unit(secondary)));
              }
            });
    return figures;
  }

  /** What the harness itself allocates is below a byte an operation. */
  private static double rounded(String metric, Result<?> result) {
    double score = result.getScore();
    return metric.equals("alloc_bytes_per_op") ? Math.rint(score * 10) / 10 : score;
  }

  private static String unit(Result<?> result) {
    return result.getScoreUnit().replace("/op", "").replace("counts", "count");
  }

  /** CPU time of the threads that run a benchmark: on a busy machine it says more than elapsed. */
  public static final class CpuOfWorkers implements InternalProfiler {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long before;

    @Override
    public String getDescription() {
      return "CPU time of the worker threads";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
      before = nanos();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
        BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
      double each = (double) (nanos() - before) / result.getMetadata().getAllOps();
      return List.of(new ScalarResult(CPU, each, "ns/op", AggregationPolicy.AVG));
    }

    private static long nanos() {
      long sum = 0;
      for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
        if (thread != null && thread.getThreadName().contains("jmh-worker")) {
          sum += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
        }
      }
      return sum;
    }
  }
}
