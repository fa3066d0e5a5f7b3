package dev.offcut.bench.replay;

import dev.offcut.bench.child.Child;
import dev.offcut.replay.Replay;
import dev.offcut.replay.Result;
import dev.offcut.replay.space.Policy;
import dev.offcut.replay.space.Space.Usage;
import dev.offcut.replay.trace.Example2;
import dev.offcut.replay.trace.Trace;
import java.util.Objects;

/** Example2 of JDK-8198423 under one policy. Arguments: policy, survivors. */
final class ReplayExample2 {
  private ReplayExample2() {}

  public static void main(String[] args) {
    Policy policy = Objects.requireNonNull(Policy.named(args[0]));
    Trace trace = Example2.trace();
    int survivors = Integer.parseInt(args[1]);
    try (Replay replay =
        new Replay(policy, trace, trace.classSpaceBytes(), survivors, done -> {})) {
      Result result = replay.run();
      replay.verify();
      Usage usage = result.last().classSpace().usage();
      long large = Objects.requireNonNull(result.classesByGroup().get(Example2.LARGE));
      Child.figure("large_classes", large, "count");
      Child.figure("handed_out_percent", usage.percent(usage.handedOut()), "%");
      Child.figure("used_percent", usage.percent(usage.used()), "%");
    }
  }
}
