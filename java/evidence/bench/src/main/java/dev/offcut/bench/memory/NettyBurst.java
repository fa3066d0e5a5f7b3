package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * {@code netty_burst}: many buffers for a moment, all their pages touched; then nothing. What is in
 * memory above what the process had before: then, and some seconds after the last was freed, on a
 * thread that lives on.
 *
 * <p>Arguments: allocator, buffers, bytes of each, seconds until the last look.
 */
final class NettyBurst {
  private NettyBurst() {}

  public static void main(String[] args) throws InterruptedException, ExecutionException {
    int buffers = Integer.parseInt(args[1]);
    int bytes = Integer.parseInt(args[2]);
    int seconds = Integer.parseInt(args[3]);
    try (Allocator allocator = Allocator.of(args[0]);
        NettyBuffers.Threads threads = new NettyBuffers.Threads(1, "burst")) {
      threads.submit(() -> burst(allocator, buffers, bytes, seconds)).get();
    }
  }

  private static boolean burst(Allocator allocator, int buffers, int bytes, int seconds)
      throws InterruptedException {
    try (Slots table = allocator.table(buffers)) {
      takeAll(table, 1, bytes);
      giveAll(table, 1); // what is loaded once is not the burst's
      long before = Child.residentBytes();
      takeAll(table, buffers, bytes);
      Child.figure("resident_bytes", Child.residentBytes() - before, "B");
      giveAll(table, buffers);
      TimeUnit.SECONDS.sleep(seconds);
      Child.figure("resident_bytes_10s", Child.residentBytes() - before, "B");
      return true;
    }
  }

  private static void takeAll(Slots table, int count, int bytes) {
    for (int slot = 0; slot < count; slot++) {
      table.take(slot, bytes);
      table.fill(slot, bytes);
    }
  }

  private static void giveAll(Slots table, int count) {
    for (int slot = 0; slot < count; slot++) {
      table.give(slot);
    }
  }
}
