package dev.offcut.bench;

import dev.offcut.bench.child.Child;
import java.util.concurrent.locks.LockSupport;

/** A child that reports one figure, fails, measures nothing, or hangs. */
final class TestChild {
  private TestChild() {}

  public static void main(String[] args) {
    System.out.println("a word by the way");
    switch (args[0]) {
      case "fails" -> throw new IllegalStateException("as told");
      case "idles" -> Child.figure("cpu_ns_per_op", 1.0 / 0, "ns");
      case "hangs" -> LockSupport.parkNanos(60_000_000_000L);
      default -> Child.figure("cpu_ns_per_op", 7.25, "ns");
    }
  }
}
