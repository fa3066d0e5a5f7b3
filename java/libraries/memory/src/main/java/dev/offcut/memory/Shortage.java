package dev.offcut.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
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

  /** Until when a request that comes now waits for the function. */
  long deadline() {
    return System.nanoTime() + waitNanos;
  }

  /** Whether there is a function, and this thread is not in it. */
  boolean mayCallBack() {
    return function != null && !calling.isHeldByCurrentThread();
  }

  /** Runs the function, unless a thread is in it: whether it ran. */
  boolean tryCallBack() {
    if (function == null || calling.isHeldByCurrentThread() || !calling.tryLock()) {
      return false;
    }
    try {
      function.accept(budget);
    } catch (Throwable e) {
      Uncaught.report("the function for short memory of budget " + budget + " threw", e);
    } finally {
      calling.unlock();
    }
    return true;
  }

  /**
   * Waits until the thread that is in the function has left it; false after the deadline. The
   * function may wait for what this thread holds, so there must be one. An interrupt does not end
   * the wait, and stays.
   */
  boolean awaitCallBack(long deadline) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          boolean left = calling.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
          if (left) {
            calling.unlock();
          }
          return left;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
