package dev.offcut.stress;

import dev.offcut.handle.Cleaner;
import dev.offcut.handle.Detection;
import dev.offcut.handle.HandleSnapshot;
import dev.offcut.handle.HandleSnapshot.OfType;
import dev.offcut.handle.Handles;
import dev.offcut.handle.Peek;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * An OutOfMemoryError at every allocation of every operation: the heap is filled to the brim, some
 * bytes are given back, the operation is tried, some more bytes, and so on until it succeeds, again
 * and again. Nothing may be lost, nothing released twice, an error comes only before the native
 * open, and afterwards the library works.
 *
 * <p>Arguments: the scenario, how many rounds, the seed. For a child JVM with {@code -Xmx8m
 * -XX:-UseTLAB -XX:+UseSerialGC}.
 */
@SuppressWarnings("StaticAssignmentOfThrowable") // kept until there is memory to print it
public final class Exhaustion {
  static final int ATTEMPTS = 200;
  private static final int MAX_SPILL = 32;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final @Nullable AutoCloseable[] PREPARED = new AutoCloseable[64];
  private static final @Nullable AutoCloseable[] KEPT = new AutoCloseable[ATTEMPTS];
  static final Cleaner CLEANER = Cleaner.create();

  private static int done;
  private static int errors;
  private static int late;
  private static @Nullable Throwable unexpected;

  private Exhaustion() {}

  /** Exits with 1 when something was lost, released twice or thrown that must not be. */
  public static void main(String[] args) throws Exception {
    Scenario scenario = Scenario.valueOf(args[0]);
    SplittableRandom random = new SplittableRandom(Long.parseLong(args[2]));
    System.out.println(scenario + ", seed " + args[2]);
    Ledger.reset(100_000);
    Scenario.load();
    openSome(random);
    Arrays.fill(PREPARED, null);
    look(); // what only a program that asks runs is linked while there is memory
    for (int round = 0; round < Integer.parseInt(args[1]) && unexpected == null; round++) {
      scenario.prepare(random);
      Brim.fill();
      attempts(scenario, random);
      Brim.empty();
      scenario.end();
      Handles.detection(Detection.COUNT);
      dispose(random);
    }
    String verdict = verdict(scenario, random);
    System.out.printf("%,d done, %,d errors%n", done, errors);
    System.out.println(verdict.isEmpty() ? "exactly once" : "FAILED: " + verdict);
    System.exit(verdict.isEmpty() ? 0 : 1);
  }

  private static void attempts(Scenario scenario, SplittableRandom random) {
    for (int i = 0; i < scenario.attempts() && unexpected == null; i++) {
      Brim.spill(random.nextInt(MAX_SPILL));
      int before = Ledger.opened();
      try {
        KEPT[i] = scenario.operate(random);
        done++;
      } catch (OutOfMemoryError e) {
        errors++;
        late += scenario.opensLast() && Ledger.opened() != before ? 1 : 0;
      } catch (Throwable t) {
        unexpected = t;
      }
    }
  }

  private static void dispose(SplittableRandom random) throws Exception {
    for (int i = 0; i < ATTEMPTS; i++) {
      AutoCloseable one = KEPT[i];
      KEPT[i] = null;
      if (one != null && random.nextBoolean()) {
        one.close(); // the others are forgotten
      }
    }
    Arrays.fill(PREPARED, null);
  }

  /** Handles of all kinds in all places. */
  static void openSome(SplittableRandom random) {
    for (int i = 0; i < PREPARED.length; i++) {
      PREPARED[i] =
          switch (random.nextInt(5)) {
            case 0 -> new Kinds.Exact();
            case 1 -> new Kinds.Waiting();
            case 2 -> new Kinds.Parent();
            case 3 -> new Kinds.Child(new Kinds.Parent());
            default -> new Kinds.Registered(CLEANER);
          };
      if (random.nextInt(20) == 0) {
        Peek.rotate();
      }
    }
  }

  /** One of the prepared handles, or null once they are used up. */
  static @Nullable AutoCloseable take(SplittableRandom random) {
    int from = random.nextInt(PREPARED.length);
    for (int i = 0; i < PREPARED.length; i++) {
      int at = (from + i) % PREPARED.length;
      AutoCloseable taken = PREPARED[at];
      if (taken != null) {
        PREPARED[at] = null;
        return taken;
      }
    }
    return null;
  }

  private static HandleSnapshot look() {
    Handles.drain(Duration.ofSeconds(10));
    Peek.verify();
    return Handles.snapshot();
  }

  private static String verdict(Scenario scenario, SplittableRandom random) throws Exception {
    openSome(random); // the library works
    Arrays.fill(PREPARED, null);
    long limit = System.nanoTime() + PATIENCE.toNanos();
    while (Ledger.released() < Ledger.opened() && System.nanoTime() - limit < 0) {
      Handles.drain(Duration.ofSeconds(5));
    }
    HandleSnapshot snapshot = look();
    StringBuilder verdict = new StringBuilder(Ledger.verdict());
    long opened = 0;
    for (OfType type : snapshot.types()) {
      opened += type.opened();
      if (type.open() != 0 || type.closed() + type.forgotten() != type.opened()) {
        verdict.append("; ").append(type);
      }
    }
    boolean countsAll = scenario != Scenario.CLEANER;
    if (countsAll && opened != Ledger.opened()) {
      verdict.append("; the snapshot counts ").append(opened);
      verdict.append(" opened of ").append(Ledger.opened());
    }
    if (late > 0) {
      verdict.append("; ").append(late).append(" errors came after the native open");
    }
    if (unexpected != null) {
      unexpected.printStackTrace();
      verdict.append("; ").append(unexpected);
    }
    return verdict.toString();
  }
}
