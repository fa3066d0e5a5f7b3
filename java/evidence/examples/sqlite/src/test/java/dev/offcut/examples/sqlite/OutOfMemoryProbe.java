package dev.offcut.examples.sqlite;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleSnapshot.OfType;
import dev.offcut.handle.Handles;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A JVM of its own that opens databases and statements in a full heap: with no byte free, with 16,
 * with 32, and so on until the opening succeeds, so that each allocation on the way fails once.
 * What SQLite itself counts must be what is held, and nothing in the end.
 */
public final class OutOfMemoryProbe {
  private static final int NODE_BYTES = 16;

  /** So small that filling with it leaves less than that. */
  private static final class Node {
    final @Nullable Node next;

    Node(@Nullable Node next) {
      this.next = next;
    }
  }

  /** Openings a step: the second one finds what the first one changed. */
  private static final int EACH = 2;

  /** 16 bytes more are free at each step: the last has 12 KiB. */
  private static final int MAX_STEPS = 768;

  private static final int WARM_UPS = 192;

  private static final int CHUNK = 1 << 13;

  /** What the net needs to go on while openings are tried warm. */
  private static final int SPARE_CHUNKS = 8;

  private static final @Nullable Handle[] HELD = new Handle[EACH];
  private static final @Nullable Object[] FILLING = new Object[4096];
  private static @Nullable Node nodes;
  private static int chunks;
  private static int failures;
  private static int successes;
  private static int step;
  private static int disturbed;

  /** Injections that other threads of the JVM may spoil by allocating at the wrong moment. */
  private static final int MAX_DISTURBED = 2;

  private OutOfMemoryProbe() {}

  /** Prints one line that begins with "ok" when nothing was lost. */
  public static void main(String[] args) {
    try {
      run(Integer.parseInt(args[0]));
    } catch (Throwable t) {
      empty(); // what it has to say needs memory
      System.out.println("at step " + step);
      t.printStackTrace();
      System.exit(1);
    }
  }

  private static void run(int rounds) {
    Library.require();
    long before = memoryUsed();
    try (Database database = Database.inMemory()) {
      warmUp(database);
      long withDatabase = memoryUsed();
      for (int round = 0; round < rounds; round++) {
        inject(() -> database.prepare("SELECT 1, ?1"), true);
        check("statements left", 0, OpenStatements.of(database));
        check("bytes of statements left", withDatabase, memoryUsed());
        inject(Database::inMemory, true);
        check("bytes of databases left", withDatabase, memoryUsed());
      }
    }
    check("bytes left", before, memoryUsed());
    Handles.snapshot().types().forEach(OutOfMemoryProbe::checkType);
    System.out.println("ok: " + failures + " failed, " + successes + " opened");
  }

  /**
   * What is done for the first time may load a class, which must not fail for ever. What was done
   * 127 times the JDK makes code for: in a full heap no opening would get past that any more.
   */
  private static void warmUp(Database database) {
    for (int i = 0; i < WARM_UPS; i++) {
      database.prepare("SELECT 1, ?1").close();
      Database.inMemory().close();
    }
    Throwable t = new Throwable("step " + step);
    t.printStackTrace(new PrintStream(OutputStream.nullOutputStream()));
    inject(() -> database.prepare("SELECT 1, ?1"), false);
    inject(Database::inMemory, false);
    check("statements", 0, OpenStatements.of(database));
  }

  private static void inject(Supplier<Handle> opening, boolean full) {
    try {
      fillWithChunks(full ? FILLING.length : 2 * SPARE_CHUNKS);
      injectCold(opening, full ? Integer.MAX_VALUE : MAX_STEPS);
      injectWarm(opening, full ? Integer.MAX_VALUE : MAX_STEPS);
    } catch (OutOfMemoryError e) {
      // It hit the probe itself, between two openings. That is no result, but what follows is
      // checked all the same: nothing may be lost.
      check("disturbed seldom", 1, ++disturbed <= MAX_DISTURBED ? 1 : 0);
    }
    empty();
    closeHeld();
    check("drained", 1, Handles.drain(Duration.ofSeconds(20)) ? 1 : 0);
    Handles.snapshot().types().forEach(OutOfMemoryProbe::checkReleases);
  }

  /** Filling ends with an error, at which the collector drops the table of young handles. */
  private static void injectCold(Supplier<Handle> opening, int limit) {
    int inARow = 0;
    for (step = 0; step < MAX_STEPS && inARow < 2; step++) {
      fillWithNodes(limit);
      free(step);
      inARow = openAndClose(opening) == EACH ? inARow + 1 : 0;
    }
    check("steps enough for all to succeed", 1, step < MAX_STEPS ? 1 : 0);
  }

  /** Filled by calculation, without an error: the table stays, and little is left to allocate. */
  private static void injectWarm(Supplier<Handle> opening, int limit) {
    for (int i = 0; i < SPARE_CHUNKS; i++) {
      FILLING[--chunks] = null;
    }
    long fit = fillWithNodes(limit);
    nodes = null;
    long free = freeAfterGc();
    int inARow = 0;
    for (step = 0; step < MAX_STEPS && inARow < 3; step++) {
      check("opened without need", EACH, openAndClose(opening));
      addNodes(fit - (free - freeAfterGc()) / NODE_BYTES - step);
      inARow = openAndClose(opening) == EACH ? inARow + 1 : 0;
    }
  }

  private static long freeAfterGc() {
    System.gc();
    return Runtime.getRuntime().freeMemory();
  }

  private static int openAndClose(Supplier<Handle> opening) {
    int opened = open(opening);
    nodes = null;
    closeHeld();
    return opened;
  }

  private static int open(Supplier<Handle> opening) {
    int opened = 0;
    for (int i = 0; i < EACH; i++) {
      try {
        HELD[i] = opening.get();
        opened++;
      } catch (OutOfMemoryError e) {
        failures++;
      }
    }
    successes += opened;
    return opened;
  }

  private static void closeHeld() {
    for (int i = 0; i < EACH; i++) {
      Handle held = HELD[i];
      if (held != null) {
        held.close();
        HELD[i] = null;
      }
    }
  }

  private static void fillWithChunks(int limit) {
    try {
      for (chunks = 0; chunks < limit; chunks++) {
        FILLING[chunks] = new byte[CHUNK];
      }
    } catch (OutOfMemoryError e) {
      // Full, but for less than a chunk.
    }
  }

  /** Fills what is left; takes chunks out until that is enough nodes for every step. */
  private static int fillWithNodes(int limit) {
    int count = 0;
    while (count < MAX_STEPS) {
      try {
        while (count < limit) {
          nodes = new Node(nodes);
          count++;
        }
      } catch (OutOfMemoryError e) {
        if (count < MAX_STEPS) {
          FILLING[--chunks] = null;
        }
      }
    }
    return count;
  }

  private static void addNodes(long count) {
    try {
      for (long i = 0; i < count; i++) {
        nodes = new Node(nodes);
      }
    } catch (OutOfMemoryError e) {
      // Other threads have allocated too: the step counts as one with an error.
    }
  }

  private static void free(int count) {
    for (int i = 0; i < count && nodes != null; i++) {
      nodes = nodes.next;
    }
  }

  private static void empty() {
    nodes = null;
    Arrays.fill(FILLING, null);
  }

  private static long memoryUsed() {
    MethodHandle used = Library.link("sqlite3_memory_used", JAVA_LONG);
    try {
      return (long) used.invokeExact();
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  private static void checkType(OfType type) {
    check(type.name() + " open", 0, type.open());
    checkReleases(type);
  }

  private static void checkReleases(OfType type) {
    check(type.name() + " releases that failed", 0, type.failures());
  }

  private static void check(String what, long expected, long actual) {
    if (expected != actual) {
      throw new AssertionError(what + ": " + actual + " instead of " + expected);
    }
  }
}
