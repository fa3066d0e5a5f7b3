package dev.offcut.bench.longmap;

import com.sun.jna.Memory;
import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.List;

/**
 * {@code jna_memory}: {@code new Memory(64)} and its close, as JNA is or as the agent has made it.
 *
 * <p>Arguments: CPU seconds of warm-up, seconds of measurement.
 */
final class JnaMemory implements Workers.Work {
  private static final int SIZE = 64;

  private long done;
  private long bytes;

  private JnaMemory() {}

  public static void main(String[] args) throws InterruptedException {
    JnaMemory work = new JnaMemory();
    Workers.Result result = Workers.run(List.of(work), Child.nanos(args[0]), Child.nanos(args[1]));
    FiveFigures.report(result);
    Child.figure("cpu_ns_per_op", result.cpuNanos() / result.operations(), "ns");
    Child.figure("wall_ns_per_op", result.wallNanos() / result.operations(), "ns");
  }

  @Override
  public void times(int operations) {
    for (int i = 0; i < operations; i++) {
      Memory memory = new Memory(SIZE);
      bytes += memory.size();
      memory.close();
    }
    done += operations;
  }

  @Override
  public void check() {
    if (bytes != done * SIZE) {
      throw new AssertionError(done + " allocated, " + bytes + " bytes");
    }
  }
}
