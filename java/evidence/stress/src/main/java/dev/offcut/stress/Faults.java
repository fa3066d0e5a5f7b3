package dev.offcut.stress;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleListener;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Handles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Releasers, listeners and threads that misbehave. Each fault is a process of its own, run with
 * {@code -Doffcut.handle.hangMillis=200}. Argument: the fault. Exits with 1 when something was
 * lost, released twice, or not as documented.
 */
public final class Faults {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final CountDownLatch LET_GO = new CountDownLatch(1);
  private static final AtomicInteger HANGING = new AtomicInteger();
  private static final AtomicInteger HEARD = new AtomicInteger();

  private Faults() {}

  /** Runs one fault. */
  public static void main(String[] args) throws Exception {
    Ledger.reset(300_000);
    switch (args[0]) {
      case "hang-many" -> hang(20);
      case "errors" -> errors();
      case "interrupts" -> interrupts();
      case "locked" -> locked();
      default -> throw new IllegalArgumentException(args[0]);
    }
    check(HeavyGraphs.settled(), "all released once");
    System.out.println("ok");
    System.exit(0);
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      System.out.println("FAILED: " + what + "; " + Handles.snapshot());
      System.exit(1);
    }
  }

  /** A handle of the given type. */
  private static final class Faulty extends Handle {
    private static final ThreadLocal<@Nullable HandleType> NEXT = new ThreadLocal<>();
    private final @Nullable HandleType type;

    private Faulty() {
      this.type = NEXT.get();
      open(Kinds::line);
    }

    static Faulty of(HandleType type) {
      NEXT.set(type);
      return new Faulty();
    }

    @Override
    protected HandleType type() {
      HandleType known = type == null ? NEXT.get() : type;
      if (known == null) {
        throw new AssertionError("constructed without a type");
      }
      return known;
    }
  }

  private static void forget(HandleType type, int count) {
    for (int i = 0; i < count; i++) {
      Faulty.of(type);
    }
  }

  private static long spent(long since) {
    return (System.nanoTime() - since) / 1_000_000;
  }

  // A releaser that does not return.

  private static void hang(int calls) throws InterruptedException {
    HandleType hanging = HandleType.named("hanging").releaser(Faults::releaseLate).create();
    HandleType other = HandleType.named("other").releaser(Ledger::release).create();
    Handles.addListener(
        new HandleListener() {
          @Override
          public void releaserHung(String type, Duration since) {
            HEARD.addAndGet(type.equals("hanging") ? 1 : 1_000);
          }
        });
    forget(hanging, calls);
    forget(other, 10_000);
    long start = System.nanoTime();
    int expected = Math.min(calls, 9); // eight that are replaced, and the last one
    while (HANGING.get() < expected || Handles.snapshot().hungReleasers() < Math.min(calls, 8)) {
      System.gc();
      Thread.sleep(20);
      check(spent(start) < 20_000, "the hanging releasers are replaced");
    }
    long released = Handles.snapshot().of(other).forgotten();
    forget(other, 1_000);
    while (calls == 1 && Handles.snapshot().of(other).forgotten() < 11_000) {
      System.gc();
      Thread.sleep(20);
      check(spent(start) < 25_000, "others are released while one hangs");
    }
    System.out.printf(
        "%d hang after %d ms, %d others released%n", expected, spent(start), released);
    check(HEARD.get() == Math.min(calls, 8), "the listener heard of each: " + HEARD);
    LET_GO.countDown();
    check(HeavyGraphs.settled(), "all released once they return");
    while (Handles.snapshot().hungReleasers() > 0) {
      Thread.sleep(20);
      check(spent(start) < 29_000, "none hangs any more");
    }
    check(threads("offcut-releaser") == 1, "one releasing thread is left");
  }

  private static void releaseLate(long line) {
    HANGING.incrementAndGet();
    try {
      LET_GO.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    Ledger.release(line);
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(name))
        .count();
  }

  // Releasers and listeners that throw whatever there is.

  private static void errors() {
    HandleType type = HandleType.named("errors").releaser(Faults::releaseAndThrow).create();
    Handles.addListener(
        new HandleListener() {
          @Override
          public void forgotten(String name, long count, List<StackTraceElement> site) {
            throwSomething(count);
          }

          @Override
          public void releaseFailed(String name, Throwable failure) {
            HEARD.incrementAndGet();
            throwSomething(HEARD.get());
          }
        });
    for (int i = 0; i < 20; i++) {
      forget(type, 50);
      Handles.drain(PATIENCE);
    }
    check(Handles.snapshot().of(type).failures() == 1_000, "each failure is counted");
    check(HEARD.get() >= 1_000, "each failure is told: " + HEARD);
    check(Handles.snapshot().restarts() == 0, "no thread died");
  }

  private static void releaseAndThrow(long line) {
    Ledger.release(line);
    throwSomething(line);
  }

  private static void throwSomething(long number) {
    switch ((int) (number % 6)) {
      case 0 -> throw new OutOfMemoryError("not really");
      case 1 -> overflow(0);
      case 2 -> Faults.<RuntimeException>sneak(new InterruptedException("checked"));
      case 3 -> throw new ThreadDeath();
      case 4 -> throw new ExceptionInInitializerError("not really");
      default -> throw new IllegalStateException("an ordinary one");
    }
  }

  @SuppressWarnings("InfiniteRecursion") // that is the point
  private static long overflow(long depth) {
    return overflow(depth + 1) + 1;
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> void sneak(Throwable checked) throws X {
    throw (X) checked;
  }

  // An opener that holds a lock which its releasers want: it is held back, but not for ever.

  private static void locked() throws InterruptedException {
    HandleType type = HandleType.named("locked").releaser(Faults::releaseLocked).create();
    forget(type, 1_000);
    synchronized (LET_GO) {
      while (HANGING.get() == 0) {
        System.gc();
        Thread.sleep(20);
      }
      forget(type, 200_000);
    }
  }

  private static void releaseLocked(long line) {
    HANGING.incrementAndGet();
    synchronized (LET_GO) {
      Ledger.release(line);
    }
  }

  // Interrupts.

  private static void interrupts() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    HandleType type = HandleType.named("interrupts").releaser(Ledger::release).create();
    long start = System.nanoTime();
    for (int t = 0; t < 2; t++) {
      threads.add(new Thread(() -> interruptAll(start)));
      threads.get(t).start();
    }
    while (spent(start) < 2_000) {
      forget(type, 500);
      Handles.drain(Duration.ofMillis(50));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    check(Handles.snapshot().restarts() == 0, "no thread died");
  }

  private static void interruptAll(long start) {
    while (spent(start) < 2_000) {
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().startsWith("offcut-")) {
          thread.interrupt();
        }
      }
    }
  }
}
