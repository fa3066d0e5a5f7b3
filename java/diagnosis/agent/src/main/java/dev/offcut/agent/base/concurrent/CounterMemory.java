package dev.offcut.agent.base.concurrent;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The memory in which the JVM keeps its counters. A helper: a copy of it in java.base runs, since
 * the file that tools read is not there if another JVM that starts holds it just then, or with
 * {@code -XX:+PerfDisableSharedMem}.
 */
public final class CounterMemory {
  private CounterMemory() {}

  /** That of this JVM, which changes it all the time; empty if it keeps none. */
  public static ByteBuffer get() throws IOException {
    try {
      return Stock.Perf.getPerf().attach(0);
    } catch (NoSuchMethodError e) {
      return Stock.Perf.getPerf().attach(0, "r");
    }
  }
}
