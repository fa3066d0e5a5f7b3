package dev.offcut.agent.hooks;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program that opens and closes within what the agent counts: within clean-up actions, and from
 * threads that free what others opened.
 */
public final class NestedProgram {
  /** Clean-up actions, each of which opens and closes one of another kind. */
  static final int ACTIONS = 300;

  /** Registrations that are handed to another thread, which cleans them. */
  static final int HANDED_OVER = 100_000;

  private static final Cleaner CLEANER = Cleaner.create();
  private static final AtomicInteger DONE = new AtomicInteger();

  private NestedProgram() {}

  public static void main(String[] args) throws InterruptedException {
    for (int i = 0; i < ACTIONS; i++) {
      Object object = new Object();
      CLEANER.register(object, NestedProgram::openAnother).clean();
    }
    handOver();
    System.out.println("done " + DONE);
  }

  private static void openAnother() {
    ByteBuffer.allocateDirect(8);
    CLEANER.register(new Object(), DONE::incrementAndGet).clean();
  }

  private static void handOver() throws InterruptedException {
    BlockingQueue<Cleaner.Cleanable> queue = new LinkedBlockingQueue<>(1000);
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 2; thread++) {
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < HANDED_OVER / 2; i++) {
                  put(queue, CLEANER.register(new Object(), DONE::incrementAndGet));
                }
              }));
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < HANDED_OVER / 2; i++) {
                  take(queue).clean();
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void put(BlockingQueue<Cleaner.Cleanable> queue, Cleaner.Cleanable one) {
    try {
      queue.put(one);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Cleaner.Cleanable take(BlockingQueue<Cleaner.Cleanable> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
