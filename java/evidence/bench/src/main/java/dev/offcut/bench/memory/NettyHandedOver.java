package dev.offcut.bench.memory;

import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * {@code netty_handed_over}: each of two threads takes buffers of 64 bytes, exchanges them with the
 * other's, and releases those. An operation is a buffer taken and released.
 */
@State(Scope.Thread)
public class NettyHandedOver {
  private static final int BATCH = 4096;
  private static final int BYTES = 64;

  /** What both threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param("netty-pooled")
    public String impl = "";

    private Allocator allocator = Allocator.NONE;
    private final Exchanger<Slots> exchange = new Exchanger<>();

    @Setup
    public void setUp() {
      allocator = Allocator.of(impl);
    }

    @TearDown
    public void end() {
      allocator.close();
    }
  }

  private Slots mine = Allocator.NONE.table(0);

  /** A thread's own table, which the other one gets. */
  @Setup
  public void setUp(Shared shared) {
    mine = shared.allocator.table(BATCH);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void batch(Shared shared) throws InterruptedException {
    for (int slot = 0; slot < BATCH; slot++) {
      mine.take(slot, BYTES);
    }
    try {
      mine = shared.exchange.exchange(mine, 1, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      // the other thread has ended: these are released here
    }
    for (int slot = 0; slot < BATCH; slot++) {
      mine.give(slot);
    }
  }
}
