package dev.offcut.stress;

import dev.offcut.handle.CloseInUse;
import dev.offcut.handle.CloseWithChildren;
import dev.offcut.handle.GuardedHandle;
import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Tether;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One class of handle for each kind of type, all of them lines of the {@link Ledger}. */
final class Kinds {
  private Kinds() {}

  /** The opener's exception: the book is full. */
  static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1;

    Full() {
      super("the ledger is full", null, false, false);
    }
  }

  @SuppressWarnings("StaticAssignmentOfThrowable") // thrown where there is no memory for one
  private static final Full FULL = new Full();

  /** A native open: a new line of the ledger. */
  static long line() {
    long line = Ledger.open();
    if (line < 0) {
      throw FULL;
    }
    return line;
  }

  /** K = 1. */
  static final class Exact extends Handle {
    static final HandleType TYPE = HandleType.named("exact").releaser(Ledger::release).create();

    Exact() {
      open(Kinds::line);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** K = 1; a release takes so long. */
  static final class Slow extends Handle {
    static final HandleType TYPE = HandleType.named("slow").releaser(Slow::release).create();

    private static final long SHORTEST_PARK = 50_000; // a parked thread comes back later than that

    /** How long; set before the first. */
    static volatile long nanos;

    Slow() {
      open(Kinds::line);
    }

    private static void release(long line) {
      long start = System.nanoTime();
      while (System.nanoTime() - start < nanos) {
        if (nanos < SHORTEST_PARK) {
          Thread.onSpinWait();
        } else {
          LockSupport.parkNanos(nanos);
        }
      }
      Ledger.release(line);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** K = 16. */
  static final class Grouped extends Handle {
    static final HandleType TYPE =
        HandleType.named("grouped").releaser(Ledger::release).groupSize(16).create();

    Grouped() {
      open(Kinds::line);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** K = 4, guarded: its close waits. */
  static final class Waiting extends GuardedHandle {
    static final HandleType TYPE =
        HandleType.named("waiting")
            .releaser(Ledger::release)
            .groupSize(4)
            .closeInUse(CloseInUse.WAIT)
            .waitLimit(Duration.ofSeconds(20))
            .create();

    Waiting() {
      open(Kinds::line);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** Guarded, a parent: its close defers to users and children. */
  static final class Parent extends GuardedHandle {
    static final HandleType TYPE =
        HandleType.named("parent")
            .releaser(Ledger::releaseParent)
            .closeInUse(CloseInUse.DEFER)
            .closeWithChildren(CloseWithChildren.DEFER)
            .create();

    final long line;

    Parent() {
      this(new Line());
    }

    private Parent(Line made) { // before the place is reserved: see Handle's constructors
      open(made);
      line = made.number;
    }

    private static final class Line implements Opener {
      private long number;

      @Override
      public long open() {
        number = line();
        return number;
      }
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** A child; its raw value names the parent, too. */
  static final class Child extends Handle {
    static final HandleType TYPE =
        HandleType.named("child").releaser(Child::releaseChild).childOf(Parent.TYPE).create();

    Child(Parent parent) {
      super(parent);
      open(() -> openChild(parent.line));
    }

    private static long openChild(long parent) {
      long line = line();
      Ledger.adoptChild(parent);
      return line | parent << 32;
    }

    private static void releaseChild(long value) {
      Ledger.orphanChild(value >>> 32);
      Ledger.release(value & 0xFFFF_FFFFL);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** An object under the drop-in cleaner. When it cannot be registered it frees its line itself. */
  static final class Registered implements AutoCloseable {
    private final dev.offcut.handle.Cleaner.Cleanable cleanable;

    Registered(dev.offcut.handle.Cleaner cleaner) {
      Action action = new Action(); // before the resource, as one does
      action.line = line();
      boolean registered = false;
      try {
        cleanable = cleaner.register(this, action);
        registered = true;
      } finally {
        if (!registered) {
          action.run();
        }
      }
    }

    @Override
    public void close() {
      cleanable.clean();
    }

    static final class Action implements Runnable {
      long line;

      @Override
      public void run() {
        Ledger.release(line);
      }
    }
  }

  /** An owner with a tether, like a buffer of a framework: it decides itself who closes. */
  static final class Tied implements AutoCloseable {
    static final HandleType TYPE = type();

    /** Lines that were opened in place of another. */
    static final AtomicLong MOVES = new AtomicLong();

    private final AtomicInteger references = new AtomicInteger(1); // before the resource
    private long line;
    private @Nullable Tether tether;

    Tied() {
      this(TYPE);
    }

    /** When the line cannot be tied it is freed here. */
    Tied(HandleType type) {
      long opened = line();
      boolean tied = false;
      try {
        tether = type.tether(opened);
        tied = true;
      } finally {
        if (!tied) {
          Ledger.release(opened);
        }
      }
      line = opened;
    }

    /** A type none of whose tables is there. */
    static HandleType type() {
      return HandleType.named("tied").releaser(Ledger::release).create();
    }

    /** Another line in place of the one before, by whoever has the owner alone. */
    Tied moved() {
      long before = line;
      long after = line();
      MOVES.incrementAndGet();
      Tether tied = tether;
      if (tied == null) {
        throw new AssertionError("not moved while it is closed");
      }
      tied.move(after);
      line = after;
      Ledger.release(before);
      return this;
    }

    @Override
    public void close() {
      if (references.getAndSet(0) == 1) {
        Tether ended = tether;
        if (ended == null) {
          throw new AssertionError("closed once");
        }
        ended.end();
        tether = null;
        Ledger.release(line);
      }
    }
  }
}
