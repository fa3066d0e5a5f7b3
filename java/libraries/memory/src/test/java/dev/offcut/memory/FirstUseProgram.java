package dev.offcut.memory;

import java.io.OutputStream;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * The first use of each kind where the Java heap is full: filled to the brim, then some bytes more
 * free before each attempt, until one succeeds. Afterwards, with memory again, everything must
 * work: what was linked or initialized for the first time in a full heap would fail for ever.
 *
 * <p>Argument: which of {@link #KINDS}. For a child JVM with a heap of some MiB and {@code
 * -XX:-UseTLAB -XX:+UseSerialGC}.
 */
@SuppressWarnings("UnusedVariable") // what fills the heap
final class FirstUseProgram {
  static final int KINDS = 6;

  private static final int LINK_BYTES = 80;
  private static final int LINKS = 2_000;

  private static @Nullable Object @Nullable [] arrays;
  private static @Nullable Link spare;

  private FirstUseProgram() {}

  public static void main(String[] args) {
    new Throwable("none").printStackTrace(new PrintStream(OutputStream.nullOutputStream()));
    int kind = Integer.parseInt(args[0]);
    MemoryPool pool = MemoryPool.named("first use").limit(1L << 30).create();
    Owner owner = pool.owner();
    for (int i = 0; i < LINKS; i++) {
      spare = new Link(spare);
    }
    fill();
    int refused = attempts(pool, owner, kind);
    arrays = null;
    spare = null;
    for (int each = 0; each < KINDS; each++) {
      use(pool, owner, each);
    }
    pool.verify();
    System.out.println("refused " + refused);
    System.exit(0);
  }

  /** Until one succeeds; each has some links more of memory than the one before. */
  private static int attempts(MemoryPool pool, Owner owner, int kind) {
    int refused = 0;
    while (spare != null) {
      try {
        use(pool, owner, kind);
        return refused;
      } catch (OutOfMemoryError e) {
        refused++;
        free(1 + refused / 8);
      } catch (Throwable e) {
        arrays = null; // or nobody could be told
        spare = null;
        throw e;
      }
    }
    throw new AssertionError("no success in " + refused + " attempts");
  }

  private static void free(int links) {
    for (int i = 0; i < links && spare != null; i++) {
      spare = spare.next;
    }
  }

  private static void use(MemoryPool pool, Owner owner, int kind) {
    switch (kind) {
      case 0 -> pool.freeChunk(owner.allocateChunk(4_096));
      case 1 -> {
        try (PoolArena arena = owner.openArena()) {
          arena.allocate(100);
        }
      }
      case 2 -> {
        try (PoolArena arena = owner.openSharedArena()) {
          arena.allocate(100);
        }
      }
      case 3 -> freeBlock(owner.openHeap());
      case 4 -> freeBlock(owner.openConfinedHeap());
      default -> pool.snapshot();
    }
  }

  private static void freeBlock(BlockHeap heap) {
    try {
      heap.free(heap.allocate(100));
    } finally {
      heap.close();
    }
  }

  private static void fill() {
    Object[] chain = new Object[1];
    arrays = chain;
    for (int bytes = 1 << 20; bytes >= 0; bytes = bytes > 16 ? bytes / 2 : bytes - 8) {
      try {
        while (true) {
          Object[] next = new Object[2];
          next[0] = chain[0];
          chain[0] = next;
          next[1] = new byte[bytes];
        }
      } catch (OutOfMemoryError e) {
        // smaller ones
      }
    }
  }

  private static final class Link {
    final @Nullable Link next;
    final long[] room = new long[LINK_BYTES / Long.BYTES];

    Link(@Nullable Link next) {
      this.next = next;
    }
  }
}
