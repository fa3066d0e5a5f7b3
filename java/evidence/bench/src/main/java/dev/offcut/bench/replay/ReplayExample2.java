package dev.offcut.bench.replay;

import dev.offcut.bench.child.Child;
import dev.offcut.replay.Replay;
import dev.offcut.replay.Result;
import dev.offcut.replay.space.Policy;
import dev.offcut.replay.space.Space.Usage;
import dev.offcut.replay.space.Words;
import dev.offcut.replay.trace.Example2;
import dev.offcut.replay.trace.Trace;
import java.lang.management.ManagementFactory;
import java.util.Objects;

/**
 * Example2 of JDK-8198423 under one policy, again and again; the last one is reported, and what an
 * operation took on average.
 *
 * <p>Arguments: policy, survivors, seconds to warm up, seconds to measure.
 */
final class ReplayExample2 {
  private final Policy policy;
  private final int survivors;
  private final Trace trace = Example2.trace();

  private ReplayExample2(Policy policy, int survivors) {
    this.policy = policy;
    this.survivors = survivors;
  }

  public static void main(String[] args) {
    Policy policy = Objects.requireNonNull(Policy.named(args[0]));
    ReplayExample2 example = new ReplayExample2(policy, Integer.parseInt(args[1]));
    example.repeat(Child.nanos(args[2]));
    example.report(example.repeat(Child.nanos(args[3])));
  }

  /** Nanoseconds of the thread's CPU for an operation. */
  private double repeat(long nanos) {
    var threads = ManagementFactory.getThreadMXBean();
    long begun = System.nanoTime();
    long cpu = threads.getCurrentThreadCpuTime();
    long operations = 0;
    do {
      try (Replay replay = replay()) {
        operations += replay.run().operations();
      }
    } while (System.nanoTime() - begun < nanos);
    return (double) (threads.getCurrentThreadCpuTime() - cpu) / operations;
  }

  private Replay replay() {
    return new Replay(policy, trace, trace.classSpaceBytes(), survivors, done -> {});
  }

  private void report(double nanosPerOperation) {
    try (Replay replay = replay()) {
      Result result = replay.run();
      replay.verify();
      report(result, nanosPerOperation);
    }
  }

  private void report(Result result, double nanosPerOperation) {
    Usage usage = result.last().classSpace().usage();
    long large = Objects.requireNonNull(result.classesByGroup().get(Example2.LARGE));
    Child.figure("large_classes", large, "count");
    Child.figure("handed_out_percent", usage.percent(usage.handedOut()), "%");
    Child.figure("used_percent", usage.percent(usage.used()), "%");
    Child.figure("alignment_bytes_max", Words.toBytes(usage.alignmentMax()), "B");
    Child.figure("cpu_ns_per_op", nanosPerOperation, "ns");
    Child.figure("class_space_bytes", trace.classSpaceBytes(), "B");
  }
}
