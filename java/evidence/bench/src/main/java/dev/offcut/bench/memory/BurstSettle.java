package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.concurrent.TimeUnit;

/**
 * {@code burst_settle} and {@code netty_burst}: many buffers for a moment, all their pages touched;
 * then nothing. What is in memory above what the process had before, one second, ten and some more
 * after the last was freed, on a thread that lives on.
 *
 * <p>Arguments: allocator, buffers, bytes of each, seconds until the last look.
 */
final class BurstSettle {
  private BurstSettle() {}

  public static void main(String[] args) throws InterruptedException {
    int buffers = Integer.parseInt(args[1]);
    int bytes = Integer.parseInt(args[2]);
    long nanos = Child.nanos(args[3]);
    Allocator allocator = Allocator.of(args[0]);
    Thread thread = allocator.threads().newThread(() -> burst(allocator, buffers, bytes, nanos));
    thread.setUncaughtExceptionHandler((any, e) -> Workers.fail(e));
    thread.start();
    thread.join();
    allocator.close();
  }

  private static void burst(Allocator allocator, int buffers, int bytes, long nanos) {
    try (Slots table = allocator.table(buffers)) {
      takeAll(table, 1, bytes);
      giveAll(table, 1); // what is loaded once is not the burst's
      long before = Resident.ofProcess();
      takeAll(table, buffers, bytes);
      Child.figure("live_bytes", (long) buffers * bytes, "B");
      Child.figure("resident_bytes", Resident.ofProcess() - before, "B");
      giveAll(table, buffers);
      long second = TimeUnit.SECONDS.toNanos(1);
      sleep(Math.min(nanos, second));
      Child.figure("resident_bytes_1s", Resident.ofProcess() - before, "B");
      sleep(Math.max(0, Math.min(nanos, TimeUnit.SECONDS.toNanos(10)) - second));
      Child.figure("resident_bytes_10s", Resident.ofProcess() - before, "B");
      sleep(Math.max(0, nanos - TimeUnit.SECONDS.toNanos(10)));
      Child.figure("resident_bytes_15s", Resident.ofProcess() - before, "B");
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

  private static void sleep(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
