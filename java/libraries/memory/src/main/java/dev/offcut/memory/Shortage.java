package dev.offcut.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The program's function that frees memory when a budget runs short. One thread at a time runs it;
 * a request that would be refused waits for that thread. Any thread may use it.
 */
final class Shortage {
  /**
   * A request waits so long for the function that another thread runs. Less refuses requests that
   * the function would have made room for; more is lost if it waits for a thread that waits here.
   */
  static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Budget budget;
  private final @Nullable Consumer<Budget> function;
  private final long waitNanos;

  /** Held while the function runs. No other lock is held then. */
  private final ReentrantLock calling = new ReentrantLock();

  Shortage(Budget budget, @Nullable Consumer<Budget> function, long waitNanos) {
    this.budget = budget;
    this.function = function;
    this.waitNanos = waitNanos;
  }

  void tryCallBack() {
    if (function == null || calling.isHeldByCurrentThread() || !calling.tryLock()) {
      return;
    }
    try {
      callBack(function);
    } finally {
      calling.unlock();
    }
  }

  /**
   * Runs the function unless there is room, once no other thread is in it. The function may wait
   * for what this thread holds, so the wait has an end. An interrupted thread does not wait.
   *
   * @param room whether there is room by now
   */
  void makeRoom(BooleanSupplier room) {
    if (function == null || calling.isHeldByCurrentThread()) {
      return;
    }
    try {
      if (!calling.tryLock(waitNanos, TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    try {
      if (!room.getAsBoolean()) {
        callBack(function);
      }
    } finally {
      calling.unlock();
    }
  }

  private void callBack(Consumer<Budget> known) {
    try {
      known.accept(budget);
    } catch (Throwable e) {
      Uncaught.report("the function for short memory of budget " + budget + " threw", e);
    }
  }
}
