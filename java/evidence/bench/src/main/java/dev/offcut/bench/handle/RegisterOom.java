package dev.offcut.bench.handle;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.handle.Subject.Closing;
import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.lang.ref.Cleaner;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code register_oom}: blocks lost where opening a handle throws OutOfMemoryError.
 *
 * <p>The heap is tiny, filled to the brim, and has a little room of a random size made in it before
 * each attempt: so the error comes now at one allocation of an opening and now at another. Of the
 * handles that did open some are closed and the others forgotten. In the end all room is given
 * back; a block that is neither closed nor released by the net then is lost.
 *
 * <p>Arguments: implementation, errors.
 */
final class RegisterOom {
  private static final long SEED = 20_171_031;
  private static final int REHEARSALS = 6;
  private static final int MOST_OPEN = 1024;
  private static final int MOST_ROOM = 100;
  private static final int QUIET_CYCLES = 20;
  private static final long PAUSE_NANOS = 50_000_000;
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private final Supplier<Closing> source;
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final @Nullable Closing[] open = new Closing[MOST_OPEN];

  /** What fills the heap: a chain of arrays, and small ones that make room and fill it again. */
  private @Nullable Object @Nullable [] ballast;

  private final @Nullable Object[] room = new Object[MOST_OPEN];
  private int filled;
  private int errors;

  private RegisterOom(Supplier<Closing> source) {
    this.source = source;
  }

  public static void main(String[] args) {
    new RegisterOom(OomHandles.of(args[0])).run(Integer.parseInt(args[1]));
  }

  private void run(int wanted) {
    rehearse();
    refill();
    fill();
    while (errors < wanted) {
      refill();
      makeRoom();
      letGo(provoke());
    }
    ballast = null;
    emptyRoom(0);
    reclaim();
    Child.figure("blocks_lost", Blocks.outstanding(), "count");
    Child.figure("double_frees", Blocks.doubleFrees(), "count");
    Child.figure("errors_injected", errors, "count");
  }

  /**
   * Attempts with room enough, with and without a GC cycle before the close: whatever is loaded and
   * linked at its first use is so before the heap is full.
   */
  private void rehearse() {
    for (int i = 0; i < REHEARSALS; i++) {
      refill();
      makeRoom();
      int opened = provoke();
      if (i % 2 == 0) {
        System.gc();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      letGo(opened);
    }
    emptyRoom(0);
    reclaim();
    Child.figure("rehearsals", REHEARSALS, "count");
    System.err.println("rehearsed");
  }

  /** From large arrays to the smallest, until there is no room for even that. */
  private void fill() {
    for (int size = 1 << 16; size >= 1; size /= 2) {
      boolean more = true;
      while (more) {
        more = add(size);
      }
    }
  }

  private boolean add(int size) {
    try {
      @Nullable Object[] next = new Object[size];
      next[0] = ballast;
      ballast = next;
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** Small arrays again where the last attempt left room. */
  private void refill() {
    try {
      while (filled < room.length) {
        room[filled] = new Object[1];
        filled++;
      }
    } catch (OutOfMemoryError e) {
      // full
    }
  }

  private void makeRoom() {
    emptyRoom(Math.max(0, filled - 1 - random.nextInt(MOST_ROOM)));
  }

  private void emptyRoom(int downTo) {
    while (filled > downTo) {
      room[--filled] = null;
    }
  }

  /** Opens until there is no room; returns how many it opened. */
  private int provoke() {
    int opened = 0;
    try {
      while (opened < MOST_OPEN) {
        Closing handle = source.get();
        open[opened++] = handle;
      }
    } catch (OutOfMemoryError e) {
      errors++;
    }
    return opened;
  }

  /** Closes every other one; the rest is for the net. */
  private void letGo(int opened) {
    for (int i = 0; i < opened; i++) {
      Closing handle = open[i];
      if (handle != null && i % 2 == 0) {
        close(handle);
      }
      open[i] = null;
    }
  }

  /** A close that fails has forgotten its handle, too. */
  private static void close(Closing handle) {
    try {
      handle.close();
    } catch (OutOfMemoryError e) {
      // for the net
    }
  }

  private static void reclaim() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    int before = -1;
    int quiet = 0;
    while (Blocks.outstanding() > 0 && quiet < QUIET_CYCLES && System.nanoTime() - end < 0) {
      System.gc();
      LockSupport.parkNanos(PAUSE_NANOS);
      quiet = Blocks.outstanding() == before ? quiet + 1 : 0;
      before = Blocks.outstanding();
    }
  }

  /** The handles of {@link RegisterOom}, which own a block each. */
  static final class OomHandles {
    private OomHandles() {}

    static Supplier<Closing> of(String impl) {
      return switch (impl) {
        case "jdk-cleaner" -> Registered::new;
        case "jdk-cleaner-guarded" -> Guarded::new;
        case "offcut" -> Owned::new;
        default -> throw new IllegalArgumentException("no implementation " + impl);
      };
    }

    /** Frees its block, once. */
    private static final class State implements Runnable {
      private final long block = Blocks.malloc();

      @Override
      public void run() {
        Blocks.free(block);
      }
    }

    /** {@code jdk-cleaner}: malloc, then register, as the article's example. */
    private static final class Registered implements Closing {
      static final Cleaner CLEANER = Cleaner.create();

      private final Cleaner.Cleanable cleanable;

      Registered() {
        cleanable = CLEANER.register(this, new State());
      }

      @Override
      public void close() {
        cleanable.clean();
      }
    }

    /** {@code jdk-cleaner-guarded}: if it cannot be registered, it is freed. */
    private static final class Guarded implements Closing {
      private final Cleaner.Cleanable cleanable;

      Guarded() {
        State state = new State();
        try {
          cleanable = Registered.CLEANER.register(this, state);
        } catch (Throwable t) {
          state.run();
          throw t;
        }
      }

      @Override
      public void close() {
        cleanable.clean();
      }
    }

    /** {@code offcut}: its place is taken before malloc is called. */
    private static final class Owned extends Handle implements Closing {
      private static final HandleType TYPE =
          HandleType.named("block").releaser(Blocks::free).create();

      Owned() {
        open(Blocks::malloc);
      }

      @Override
      protected HandleType type() {
        return TYPE;
      }
    }
  }

  /**
   * A malloc that neither fails nor allocates, with a record of every block: for heaps in which
   * nothing else can be allocated any more.
   */
  static final class Blocks {
    /** More than can be open or lost at a time. */
    private static final int MOST = 1 << 16;

    private static final boolean[] TAKEN = new boolean[MOST + 1];
    private static final int[] FREE = new int[MOST];
    private static int free = MOST;
    private static int doubleFrees;

    static {
      for (int i = 0; i < MOST; i++) {
        FREE[i] = i + 1;
      }
    }

    private Blocks() {}

    static synchronized long malloc() {
      int block = FREE[--free];
      TAKEN[block] = true;
      return block;
    }

    static synchronized void free(long block) {
      int index = (int) block;
      if (!TAKEN[index]) {
        doubleFrees++;
        return;
      }
      TAKEN[index] = false;
      FREE[free++] = index;
    }

    /** Blocks taken and not freed. */
    static synchronized int outstanding() {
      return MOST - free;
    }

    static synchronized int doubleFrees() {
      return doubleFrees;
    }
  }
}
