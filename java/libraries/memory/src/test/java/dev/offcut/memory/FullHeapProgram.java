package dev.offcut.memory;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The pool where the Java heap is full: filled to the brim now and again, some bytes given back, an
 * operation, and so on. What is asked for may fail with an OutOfMemoryError; what is given back may
 * not, but for an arena, whose memory is back nevertheless; and at the end nothing is lost.
 *
 * <p>Arguments: the seed, how many rounds. For a child JVM with a heap of some MiB and {@code
 * -XX:-UseTLAB -XX:+UseSerialGC}.
 */
final class FullHeapProgram {
  private static final int OPERATIONS = 150;
  private static final int HELD = 64;
  private static final int BETWEEN_FILLS = 10;
  private static final int MOST_SPILLED = 6;

  private static @Nullable Object @Nullable [] arrays;
  private static @Nullable Link links;

  private final SplittableRandom random;
  private final MemoryPool pool =
      MemoryPool.named("full heap")
          .limit(1L << 30)
          .budget(Budget.ofBytes(1L << 30).create())
          .decay(Duration.ofMillis(50))
          .create();
  private final Owner owner = pool.owner().child("tester").create();
  private final BlockHeap confined = owner.openConfinedHeap();
  private final long[] chunks = new long[HELD];
  private final long[] blocks = new long[HELD];
  private final @Nullable PoolArena[] arenas = new PoolArena[HELD];
  private final @Nullable BlockHeap[] heaps = new BlockHeap[HELD];
  private final long[] heldBlocks = new long[HELD];
  private int done;
  private int refused;

  /** Whether what is under way may not need memory. */
  private boolean givesBack;

  private FullHeapProgram(long seed) {
    random = new SplittableRandom(seed);
  }

  public static void main(String[] args) throws InterruptedException {
    // What it takes to tell of a throwable: a class that is initialized in a full heap is broken.
    new Throwable("none").printStackTrace(new PrintStream(OutputStream.nullOutputStream()));
    FullHeapProgram program = new FullHeapProgram(Long.parseLong(args[0]));
    for (int round = 0; round < 20; round++) {
      program.operations(OPERATIONS); // what they need is loaded and linked while there is memory
      program.giveAllBack();
    }
    for (int round = 0; round < Integer.parseInt(args[1]); round++) {
      program.round();
      program.giveAllBack();
      PoolInvariants.check(program.pool);
    }
    program.end();
  }

  private void round() {
    fill();
    for (int i = 0; i < OPERATIONS / BETWEEN_FILLS; i++) {
      fillTheRest();
      operations(BETWEEN_FILLS);
    }
    dropAll();
  }

  private void operations(int count) {
    for (int i = 0; i < count; i++) {
      spill(random.nextInt(MOST_SPILLED));
      try {
        operation(random.nextInt(8), random.nextInt(HELD));
        done++;
      } catch (OutOfMemoryError e) {
        if (givesBack) {
          dropAll();
          throw new AssertionError("to give back needed memory", e);
        }
        refused++;
      } catch (Throwable e) {
        dropAll(); // or nobody could be told
        throw e;
      }
    }
  }

  private void operation(int which, int at) {
    switch (which) {
      case 0 -> chunk(at);
      case 1 -> block(at);
      case 2, 3 -> arenaBlock(at);
      case 4 -> refused();
      case 5 -> heap(at);
      case 6 -> pool.snapshot();
      default -> close(at);
    }
  }

  private void chunk(int at) {
    if (chunks[at] != 0) {
      freeChunk(at);
    } else {
      chunks[at] = owner.allocateChunk(1 + random.nextInt(1 << random.nextInt(19)));
    }
  }

  private void block(int at) {
    if (blocks[at] != 0) {
      freeBlock(at);
    } else {
      blocks[at] = confined.allocate(1 + random.nextInt(1 << random.nextInt(16)));
    }
  }

  private void arenaBlock(int at) {
    PoolArena arena = arenas[at];
    if (arena == null) {
      arena = owner.openArena();
      arenas[at] = arena;
    }
    arena.allocate(1 + random.nextInt(1 << random.nextInt(17)), 16);
  }

  /** A limit stands against it: that is said, or there is no memory to say it. */
  private void refused() {
    try {
      owner.allocateChunk(2L << 30);
      throw new AssertionError("more than the limit");
    } catch (MemoryLimitException e) {
      done++;
    }
  }

  private void heap(int at) {
    BlockHeap open = heaps[at];
    if (open == null) {
      open = owner.openHeap();
      heaps[at] = open;
      heldBlocks[at] = open.allocate(100);
    } else if (heldBlocks[at] != 0) {
      long block = heldBlocks[at];
      heldBlocks[at] = 0;
      givesBack = true;
      open.free(block);
      givesBack = false;
    } else {
      heaps[at] = null;
      givesBack = true;
      open.close();
      givesBack = false;
    }
  }

  private void freeChunk(int at) {
    long chunk = chunks[at];
    chunks[at] = 0;
    givesBack = true;
    pool.freeChunk(chunk);
    givesBack = false;
  }

  private void freeBlock(int at) {
    long block = blocks[at];
    blocks[at] = 0;
    givesBack = true;
    confined.free(block);
    givesBack = false;
  }

  private void close(int at) {
    PoolArena arena = arenas[at];
    if (arena != null) {
      arenas[at] = null;
      try {
        arena.close();
      } catch (OutOfMemoryError e) {
        if (arena.scope().isAlive()) {
          givesBack = true;
          throw e;
        }
        refused++; // the JDK's part of it
      }
    }
  }

  private static void dropAll() {
    arrays = null;
    links = null;
  }

  private void giveAllBack() {
    for (int at = 0; at < HELD; at++) {
      if (chunks[at] != 0) {
        freeChunk(at);
      }
      if (blocks[at] != 0) {
        freeBlock(at);
      }
      close(at);
      BlockHeap open = heaps[at];
      heaps[at] = null;
      if (open != null) {
        open.freeAll();
        open.close();
        heldBlocks[at] = 0;
      }
    }
  }

  /** What is free goes back to the system still; what a close could not end, by the net. */
  private void end() throws InterruptedException {
    confined.close();
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
    while (pool.snapshot().committedBytes() > 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not given back to the system: " + pool.snapshot());
      }
      System.gc();
      Thread.sleep(10);
    }
    PoolInvariants.check(pool);
    long lost = owner.chargedBytes();
    System.out.println(done + " done, " + refused + " refused, lost " + lost);
    pool.close();
  }

  private record Link(@Nullable Link next) {}

  private static void fill() {
    for (int size = 1 << 16; size > 8; size /= 2) {
      try {
        while (true) {
          @Nullable Object[] array = new Object[size];
          array[0] = arrays;
          arrays = array;
        }
      } catch (OutOfMemoryError e) {
        // the next smaller size
      }
    }
  }

  private static void fillTheRest() {
    try {
      while (true) {
        links = new Link(links);
      }
    } catch (OutOfMemoryError e) {
      // full
    }
  }

  private static void spill(int count) {
    for (int i = 0; i < count; i++) {
      Link first = links;
      if (first == null) {
        @Nullable Object[] array = arrays;
        arrays = array == null ? null : (@Nullable Object[]) array[0];
        return;
      }
      links = first.next;
    }
  }
}
