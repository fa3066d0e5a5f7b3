package dev.offcut.stress;

import dev.offcut.handle.Cleaner;
import dev.offcut.handle.Detection;
import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleSnapshot.OfType;
import dev.offcut.handle.Handles;
import dev.offcut.handle.Peek;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Openers, closers, users, rotations and the collector on the same handles at the same time, for a
 * while. Then everything is forgotten, and each value must have been released exactly once.
 *
 * <pre>
 *   openers ──▶ shelf (one place a handle, overwritten: forgotten) ──▶ closers and users, two
 * </pre>
 *
 * Arguments: seconds, lines of the ledger, seed.
 */
public final class GcRace {
  private static final int SHELF = 2_048;
  private static final List<Detection> LEVELS = List.of(Detection.values());
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final AtomicReferenceArray<@Nullable AutoCloseable> shelf =
      new AtomicReferenceArray<>(SHELF);
  private final Cleaner shared = Cleaner.create();
  private final Cleaner own = Cleaner.create(work -> new Thread(work, Ledger.OWN_THREAD));
  private final AtomicLong uses = new AtomicLong();
  private final AtomicLong closes = new AtomicLong();
  private final AtomicLong usedAfterRelease = new AtomicLong();
  private final List<Throwable> failures = new ArrayList<>();
  private final long seed;
  private final long end;
  private Kinds.@Nullable Parent parent;

  private GcRace(Duration length, long seed) {
    this.seed = seed;
    this.end = System.nanoTime() + length.toNanos();
  }

  /** Runs one race; exits with 1 when a value was lost or released twice. */
  public static void main(String[] args) throws InterruptedException {
    int seconds = Integer.parseInt(args[0]);
    Ledger.reset(Integer.parseInt(args[1]));
    long seed = Long.parseLong(args[2]);
    System.out.println("seed " + seed);
    String verdict = new GcRace(Duration.ofSeconds(seconds), seed).run();
    System.out.println(verdict.isEmpty() ? "exactly once" : "FAILED: " + verdict);
    System.exit(verdict.isEmpty() ? 0 : 1);
  }

  private String run() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    int salt = 0;
    for (Runnable1 role :
        List.<Runnable1>of(
            this::openForLong,
            this::openForLong,
            this::close,
            this::close,
            this::spawnDying,
            this::spawnVirtual,
            this::rotate,
            this::collect)) {
      long own = seed * 31 + salt++;
      Thread thread = new Thread(() -> guarded(role, own), "race-" + salt);
      threads.add(thread);
      thread.start();
    }
    while (!isOver()) {
      Thread.sleep(10);
    }
    Delay.on = false; // some of them wait for a lock that the net holds
    for (Thread thread : threads) {
      thread.join();
    }
    return verdict();
  }

  private interface Runnable1 {
    void run(SplittableRandom random) throws Exception;
  }

  private void guarded(Runnable1 role, long salt) {
    try {
      role.run(new SplittableRandom(salt));
    } catch (Throwable t) {
      synchronized (failures) {
        failures.add(t);
      }
    }
  }

  private boolean isOver() {
    return System.nanoTime() - end >= 0 || Ledger.isFull();
  }

  // The roles.

  private void openForLong(SplittableRandom random) throws Exception {
    while (!isOver()) {
      openOne(random);
      if (random.nextInt(4_096) == 0) {
        Handles.detection(LEVELS.get(random.nextInt(LEVELS.size())));
      }
    }
  }

  private void spawnDying(SplittableRandom random) throws Exception {
    while (!isOver()) {
      long salt = random.nextLong();
      Thread thread = new Thread(() -> guarded(r -> openSome(r, 200), salt), "dying");
      thread.start();
      thread.join();
    }
  }

  private void spawnVirtual(SplittableRandom random) throws Exception {
    while (!isOver()) {
      List<Thread> batch = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        long salt = random.nextLong();
        batch.add(Virtual.start(() -> guarded(r -> openSome(r, 4), salt)));
      }
      for (Thread thread : batch) {
        thread.join();
      }
    }
  }

  private void openSome(SplittableRandom random, int count) throws Exception {
    for (int i = 0; i < count && !isOver(); i++) {
      openOne(random);
    }
  }

  private void openOne(SplittableRandom random) throws Exception {
    AutoCloseable opened;
    try {
      opened = open(random);
    } catch (Kinds.Full e) {
      return;
    }
    int fate = random.nextInt(100);
    if (fate < 50) {
      opened.close();
      closes.incrementAndGet();
    } else if (fate < 95) {
      shelf.set(place(random), opened); // what lay there is forgotten, or still in use
    }
  }

  private AutoCloseable open(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0, 1, 2, 3 -> new Kinds.Exact();
      case 4 -> new Kinds.Waiting();
      case 5 -> new Kinds.Registered(random.nextInt(4) == 0 ? own : shared);
      default -> openFamily(random);
    };
  }

  private AutoCloseable openFamily(SplittableRandom random) {
    Kinds.Parent of = parent;
    if (of == null || random.nextInt(16) == 0) {
      of = new Kinds.Parent();
      parent = of; // racy: the one before is closed, forgotten, or still on the shelf
      return of;
    }
    try {
      return new Kinds.Child(of);
    } catch (IllegalStateException e) { // the parent is closed
      parent = null;
      return new Kinds.Exact();
    }
  }

  private void close(SplittableRandom random) throws Exception {
    while (!isOver()) {
      int at = place(random);
      AutoCloseable found = shelf.get(at);
      if (found == null) {
        Thread.onSpinWait();
      } else if (random.nextInt(3) == 0) {
        found.close();
        closes.incrementAndGet();
        shelf.compareAndSet(at, found, null);
      } else if (found instanceof Handle handle) {
        use(handle);
      }
    }
  }

  /** Every other time one of a few places, where closers and users meet. */
  private static int place(SplittableRandom random) {
    return random.nextInt(random.nextBoolean() ? 4 : SHELF);
  }

  private void use(Handle handle) {
    boolean guarded = !(handle instanceof Kinds.Exact);
    try {
      handle.withLong(value -> check(guarded && !(handle instanceof Kinds.Child), value));
      uses.incrementAndGet();
    } catch (IllegalStateException closed) {
      // by the other closer
    }
  }

  private long check(boolean guarded, long value) {
    if (guarded && Ledger.releasesOf(value) != 0) {
      usedAfterRelease.incrementAndGet();
    }
    return value;
  }

  private void rotate(SplittableRandom random) throws InterruptedException {
    Thread.currentThread().setName(Delay.NET + "rotation");
    while (!isOver()) {
      Peek.rotate();
      Thread.sleep(0, random.nextInt(500_000));
    }
  }

  private void collect(SplittableRandom random) throws InterruptedException {
    Thread.currentThread().setName(Delay.NET + "collection");
    while (!isOver()) {
      System.gc();
      Thread.sleep(random.nextInt(5));
    }
  }

  // The end.

  private String verdict() throws InterruptedException {
    parent = null;
    for (int i = 0; i < SHELF; i++) {
      shelf.set(i, null);
    }
    long limit = System.nanoTime() + PATIENCE.toNanos();
    while (Ledger.released() < Ledger.opened() && System.nanoTime() - limit < 0) {
      Handles.drain(Duration.ofSeconds(10));
    }
    boolean drained = Handles.drain(Duration.ofSeconds(30));
    Peek.verify();
    String verdict = Ledger.verdict();
    verdict += usedAfterRelease.get() == 0 ? "" : "; " + usedAfterRelease + " uses after release";
    verdict += drained ? "" : "; drain gave up";
    for (Throwable failure : failures) {
      failure.printStackTrace();
      verdict += "; " + failure;
    }
    return verdict + equation();
  }

  private String equation() {
    long forgotten = 0;
    long opened = 0;
    StringBuilder wrong = new StringBuilder();
    for (OfType type : Handles.snapshot().types()) {
      forgotten += type.name().equals("parent") ? 0 : type.forgotten();
      opened += type.opened();
      if (type.open() != 0 || type.closed() + type.forgotten() != type.opened()) {
        wrong.append("; ").append(type);
      }
      System.out.printf(
          "%-8s opened %,d closed %,d forgotten %,d promoted %,d open %,d%n",
          type.name(),
          type.opened(),
          type.closed(),
          type.forgotten(),
          type.promoted(),
          type.open());
    }
    System.out.printf(
        "%,d values, %,d forgotten, %,d closes, %,d uses%n",
        Ledger.opened(), forgotten, closes.get(), uses.get());
    if (forgotten != Ledger.releasedByNet()) {
      wrong.append("; counted ").append(forgotten).append(" forgotten, the net released ");
      wrong.append(Ledger.releasedByNet());
    }
    return opened == Ledger.opened()
        ? wrong.toString()
        : wrong + "; the snapshot counts " + opened + " opened of " + Ledger.opened();
  }
}
