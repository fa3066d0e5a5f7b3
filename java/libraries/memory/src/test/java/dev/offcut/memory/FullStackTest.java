package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.handle.Handles;
import dev.offcut.test.ChildJvm;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recursions to the end of the stack, through a heap, an arena or a pool that others use on. */
class FullStackTest {
  @ParameterizedTest
  @CsvSource({
    "heap, -Xint",
    "heap, -XX:TieredStopAtLevel=1",
    "heap, -XX:+TieredCompilation",
    "pairs, -Xint",
    "pairs, -XX:+TieredCompilation",
    "chunk, -Xint",
    "chunk, -XX:+TieredCompilation",
    "arenas, -Xint",
    "arenas, -XX:+TieredCompilation",
    "hardened, -XX:TieredStopAtLevel=1",
    "hardened, -XX:+TieredCompilation"
  })
  void operations_atTheEndOfTheStack_leaveOthersGoingOn(String what, String compiler)
      throws Exception {
    ChildJvm.Output ended =
        ChildJvm.with(
                "--enable-native-access=ALL-UNNAMED", compiler, "-XX:+UseSerialGC", "-Xmx128m")
            .program(Program.class, what)
            .runToAnyEnd();
    assertThat(ended.text()).contains("whole");
    System.out.println("FullStackTest " + what + " " + compiler + ": " + ended.text().strip());
  }

  /** Overflows stacks at depths that differ by less than a frame of what is called there. */
  static final class Program {
    private static final int ROUNDS = 60;

    /** The large one fills its size class: what a hardened heap writes behind it takes time. */
    private static final long[] SIZES = {32, 32, 1000, 32, 98_240, 32};

    private final MemoryPool pool;
    private final Owner owner;
    private final PoolArena arena;
    private final long[] blocks = new long[1 << 16];
    private BlockHeap heap;
    private int count;
    private int turn;

    private Program(MemoryPool pool) {
      this.pool = pool;
      owner = pool.owner();
      arena = owner.openSharedArena();
      heap = owner.openHeap();
    }

    public static void main(String[] args) throws InterruptedException {
      MemoryPool pool = MemoryPool.named("full").create();
      Program program = new Program(pool);
      for (int round = 0; round < ROUNDS; round++) {
        int frames = round;
        run("recursion", () -> program.overflow(args[0], frames));
        run("another", program::work);
      }
      run("check", program::check);
      System.exit(0); // also from a thread that hangs
    }

    private static void run(String name, Runnable task) throws InterruptedException {
      Throwable[] failure = {null};
      Thread thread = new Thread(null, task, name, 200_000);
      thread.setDaemon(true);
      thread.setUncaughtExceptionHandler((ignored, e) -> failure[0] = e);
      thread.start();
      thread.join(20_000);
      if (thread.isAlive() || failure[0] != null) {
        System.out.println(name + " failed: " + failure[0]);
        StackTraceElement[] trace =
            failure[0] == null ? thread.getStackTrace() : failure[0].getStackTrace();
        for (int i = 0; i < Math.min(trace.length, 12); i++) {
          System.out.println("  at " + trace[i]);
        }
        System.exit(1);
      }
    }

    private void overflow(String what, int frames) {
      boolean confined = what.equals("pairs");
      boolean hasOwnHeap = confined || what.equals("hardened");
      if (hasOwnHeap) {
        heap.freeAll();
        heap.close();
        heap = confined ? owner.openConfinedHeap() : owner.openHeap(Hardening.FULL);
        count = 0;
      }
      try {
        shift(what, frames);
      } catch (StackOverflowError e) {
        // what it is here for
      }
      while (what.equals("chunk") && count > 0) {
        pool.freeChunk(blocks[--count]);
      }
      if (confined) {
        takeSeveral();
      }
      if (hasOwnHeap) {
        freeAll();
        heap.close();
        heap = owner.openHeap();
      }
    }

    /** A block that was freed twice in its slab would be handed out twice. */
    private void takeSeveral() {
      for (long bytes : SIZES) {
        long first = heap.allocate(bytes);
        blocks[count++] = first;
        long second = heap.allocate(bytes);
        blocks[count++] = second;
        if (first == second) {
          throw new AssertionError("a block of " + bytes + " bytes was handed out twice");
        }
      }
    }

    private void shift(String what, int frames) {
      if (frames > 0) {
        shift(what, frames - 1);
        return;
      }
      switch (what) {
        case "chunk" -> recurseInChunks();
        case "arenas" -> recurseInArenas();
        case "pairs" -> recurseInPairs();
        default -> recurse();
      }
    }

    @SuppressWarnings("InfiniteRecursion") // what it is here for
    private void recurse() {
      long block = heap.allocate(SIZES[turn++ % SIZES.length]);
      blocks[count++] = block;
      if (turn % 3 == 0) {
        count--;
        heap.free(blocks[count]);
      }
      recurse();
    }

    /** Two blocks, both freed, of which one may be the last of its slab. */
    @SuppressWarnings("InfiniteRecursion") // what it is here for
    private void recurseInPairs() {
      long bytes = SIZES[turn++ % SIZES.length];
      long block = heap.allocate(bytes);
      blocks[count++] = block;
      long second = heap.allocate(bytes);
      heap.free(second);
      count--;
      heap.free(blocks[count]);
      recurseInPairs();
    }

    /** Opens, fills and closes. An arena that was not closed is forgotten, and the net finds it. */
    @SuppressWarnings("InfiniteRecursion") // what it is here for
    private void recurseInArenas() {
      try (PoolArena opened = owner.openArena()) {
        opened.allocate(SIZES[turn++ % SIZES.length]);
        opened.allocate(64);
      }
      recurseInArenas();
    }

    @SuppressWarnings("InfiniteRecursion") // what it is here for
    private void recurseInChunks() {
      long chunk = owner.allocateChunk(SIZES[turn++ % SIZES.length] << 4);
      blocks[count++] = chunk;
      if (turn % 3 == 0) {
        count--;
        pool.freeChunk(blocks[count]);
      }
      recurseInChunks();
    }

    /** What another thread does meanwhile: it waits for no lock that nobody has. */
    private void work() {
      for (int i = 0; i < 100; i++) {
        heap.free(heap.allocate(SIZES[i % SIZES.length]));
        owner.openArena().close();
        pool.freeChunk(owner.allocateChunk(SIZES[i % SIZES.length] << 4));
      }
    }

    /** Frees the blocks that were handed out; not the one whose free failed. */
    private void freeAll() {
      for (; count > 0; count--) {
        heap.free(blocks[count - 1]);
      }
      heap.freeAll();
    }

    private void check() {
      long before = heap.usedBytes();
      PoolInvariants.check(pool);
      freeAll();
      heap.close();
      arena.close();
      Handles.drain(Duration.ofSeconds(20)); // arenas that were not closed
      PoolInvariants.check(pool);
      pool.trim();
      long lost = pool.snapshot().handedOutBytes();
      System.out.println("whole, " + before + " bytes of blocks were out, " + lost + " are lost");
    }
  }
}
