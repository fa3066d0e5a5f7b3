package dev.offcut.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.Budget;
import dev.offcut.memory.ClosedPoolException;
import dev.offcut.memory.MemoryInUseException;
import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import dev.offcut.memory.PoolArena;
import dev.offcut.memory.Reservation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A program, in a JVM of its own, that closes pools while two threads use them: each operation
 * together with each other.
 *
 * <p>A thread repeats its operation until the pool refuses it. Memory that it gets is its own until
 * it frees it: it writes into the memory, and the pool must not be closed meanwhile. After the
 * close, other memory takes the place of the pool's, and must keep what is written into it.
 *
 * <p>The program's arguments: seconds, seed.
 */
@SuppressWarnings("restricted") // writes into chunks
class PoolClosesTest {
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final long MIB = 1 << 20;

  /** Address space of a pool: so little that what is mapped next is likely to lie there. */
  private static final long REGION_BYTES = 8 * MIB;

  private static final long BUDGET_BYTES = 6 * MIB;

  /** Of the pause between two operations while a close is tried, or it would take too long. */
  private static final int MOST_DOUBLINGS = 12;

  /** What a thread does with a pool. Each ends without memory. */
  enum Operation {
    CHUNK(round -> round.useChunk(round.owner(), 20_000)),
    LARGE_CHUNK(round -> round.useChunk(round.owner(), 4 * MIB + 1)),
    ARENA(round -> round.useArena(round.owner().openArena())),
    SHARED_ARENA(round -> round.useArena(round.owner().openSharedArena())),
    HEAP(round -> round.useBlocks(round.owner().openHeap())),
    CONFINED_HEAP(round -> round.useBlocks(round.owner().openConfinedHeap())),
    OWNER(
        round -> {
          try (Owner child = round.owner().child("child").create()) {
            round.useChunk(child, 1000);
          }
        }),
    RESERVATION(
        round -> {
          try (Reservation reservation = round.owner().reserve(1000)) {
            round.checkOpen("a reservation of " + reservation.bytes() + " bytes");
          }
        }),
    REFUSED_CHUNK(round -> round.useChunk(round.owner(), BUDGET_BYTES + 1)),
    REFUSED_RESERVATION(round -> round.owner().reserve(BUDGET_BYTES + 1).close()),
    TRIM(
        round -> {
          round.useChunk(round.owner(), 300_000);
          round.pool.trim();
        }),
    REPORTS(
        round -> {
          long committed = round.pool.snapshot().committedBytes();
          long resident = round.pool.residentBytes();
          if (committed < 0 || committed > BUDGET_BYTES || resident > REGION_BYTES) {
            throw new AssertionError(committed + " bytes committed, " + resident + " resident");
          }
          round.useChunk(round.owner(), round.pool.map().length() + 1);
        });

    @SuppressWarnings("ImmutableEnumChecker") // none has a state
    private final Consumer<Round> run;

    Operation(Consumer<Round> run) {
      this.run = run;
    }
  }

  /** A pool from its first request to its close. */
  static final class Round {
    private final MemoryPool pool;
    private final Budget budget;

    /** How often the close was tried: threads then pause between two operations. */
    private volatile int tries;

    /** Set once {@link MemoryPool#close} has returned. */
    private volatile boolean closed;

    Round(boolean used) {
      budget =
          Budget.ofBytes(BUDGET_BYTES)
              .countDirectBuffers(false)
              .onShortage(0, PoolClosesTest::freeSomething)
              .create();
      pool =
          MemoryPool.named("round")
              .budget(budget)
              .reserveLimit(REGION_BYTES)
              .decay(Duration.ZERO)
              .create();
      if (used) {
        useChunk(owner(), MIB);
      }
    }

    Owner owner() {
      return pool.owner();
    }

    /** Throws if the pool is closed although the caller has something of it. */
    void checkOpen(String what) {
      if (closed) {
        throw new AssertionError(what + " was granted, and the pool is closed");
      }
    }

    void useChunk(Owner owner, long bytes) {
      long chunk = owner.allocateChunk(bytes);
      use(chunk, bytes);
      pool.freeChunk(chunk);
    }

    void useArena(PoolArena arena) {
      try (arena) {
        for (int bytes = 64; bytes < 200_000; bytes *= 15) {
          use(arena.allocate(bytes).address(), bytes);
        }
      }
    }

    void useBlocks(BlockHeap heap) {
      try (heap) {
        for (int bytes = 64; bytes < 200_000; bytes *= 15) {
          long block = heap.allocate(bytes);
          use(block, bytes);
          heap.free(block);
        }
      }
    }

    private void use(long address, long bytes) {
      checkOpen("0x" + Long.toHexString(address));
      long last = address + bytes - 1;
      byte mark = (byte) (address >>> 8 | 1);
      ALL.set(ValueLayout.JAVA_BYTE, address, mark);
      ALL.set(ValueLayout.JAVA_BYTE, last, mark);
      checkOpen("0x" + Long.toHexString(address));
      if (ALL.get(ValueLayout.JAVA_BYTE, address) != mark
          || ALL.get(ValueLayout.JAVA_BYTE, last) != mark) {
        throw new AssertionError("0x" + Long.toHexString(address) + " is another's as well");
      }
    }

    /** Repeats an operation until the pool refuses it: how often it was done. */
    int repeat(Operation operation, SplittableRandom random) {
      for (int times = 0; ; times++) {
        spin(random.nextInt(1 + (tries == 0 ? 0 : 16 << Math.min(tries, MOST_DOUBLINGS))));
        try {
          operation.run.accept(this);
        } catch (ClosedPoolException e) {
          return times;
        } catch (MemoryLimitException e) {
          // Another thread has the memory, or the request is one of those that are refused.
        }
      }
    }

    /** Closes the pool once its memory is free: how often the pool refused that. */
    int close() {
      for (int times = 0; ; times++) {
        try {
          tries = times + 1;
          pool.close();
          closed = true;
          return times;
        } catch (MemoryInUseException e) {
          Thread.onSpinWait();
        }
      }
    }

    void checkEnd() {
      if (pool.owner().chargedBytes() != 0 || budget.snapshot().usedBytes() != 0) {
        throw new AssertionError("after the close: " + pool.snapshot() + budget.snapshot());
      }
      if (MemoryPool.open().contains(pool)) {
        throw new AssertionError("the closed pool is in the list of open pools");
      }
    }
  }

  /** The pool's function for short memory: it uses the pools of the budget as any code does. */
  private static void freeSomething(Budget budget) {
    for (MemoryPool pool : MemoryPool.open()) {
      if (pool.budget() == budget) {
        try {
          pool.freeChunk(pool.owner().allocateChunk(5000));
        } catch (ClosedPoolException | MemoryLimitException e) {
          // As for any request.
        }
      }
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  /** A request that gets memory of a closed pool ends the program. */
  @Test
  void close_duringEachPairOfOperations_leavesNoMemoryToThem() throws Exception {
    int seconds = StressJvm.LONG ? 120 : 4;
    List<String> lines =
        StressJvm.same()
            .with("--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-XX:-CreateCoredumpOnCrash")
            .run(seconds + 120, PoolClosesTest.class, seconds, StressJvm.SEED);
    assertThat(lines).anyMatch(line -> line.startsWith("pairs: 78, pools closed: "));
  }

  /** Closes pools until the time is over, and each pair has had its turn. */
  public static void main(String[] arguments) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[0]));
    long seed = Long.parseLong(arguments[1]);
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    List<Operation[]> pairs = new ArrayList<>();
    for (Operation one : Operation.values()) {
      for (Operation other : Operation.values()) {
        if (one.compareTo(other) <= 0) {
          pairs.add(new Operation[] {one, other});
        }
      }
    }
    Map<Operation, Long> done = new EnumMap<>(Operation.class);
    long closes = 0;
    long refused = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < pairs.size() || System.nanoTime() < end; i++) {
        Operation[] pair = pairs.get(i % pairs.size());
        try {
          refused += close(pair, random, threads, done);
          closes++;
        } catch (Throwable e) {
          System.out.println("FAILED: " + pair[0] + " and " + pair[1] + ", close " + closes);
          e.printStackTrace(System.out);
          Runtime.getRuntime().halt(1); // the other thread may never end
        }
      }
    }
    System.out.println("operations before a close: " + done);
    System.out.println(refused + " closes were refused");
    System.out.println("pairs: " + pairs.size() + ", pools closed: " + closes);
  }

  private static int close(
      Operation[] pair, SplittableRandom random, ExecutorService threads, Map<Operation, Long> done)
      throws Exception {
    Round round = new Round(random.nextBoolean());
    List<Future<Integer>> running = new ArrayList<>();
    for (Operation operation : pair) {
      SplittableRandom its = random.split();
      running.add(threads.submit(() -> round.repeat(operation, its)));
    }
    spin(random.nextInt(1 << random.nextInt(16)));
    int refused = round.close();
    try (Arena next = Arena.ofConfined()) {
      MemorySegment inItsPlace = next.allocate(REGION_BYTES).fill((byte) 1);
      for (int i = 0; i < pair.length; i++) {
        done.merge(pair[i], (long) running.get(i).get(), Long::sum);
      }
      for (long at = 0; at < REGION_BYTES; at += 1024) {
        if (inItsPlace.get(ValueLayout.JAVA_BYTE, at) != 1) {
          throw new AssertionError("memory that the pool no longer has was changed");
        }
      }
    }
    round.checkEnd();
    return refused;
  }
}
