package dev.offcut.stress;

import dev.offcut.handle.CloseInUse;
import dev.offcut.handle.CloseWithChildren;
import dev.offcut.handle.GuardedHandle;
import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

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

  /** Plain. */
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

  /** Plain; a release takes so long. */
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

  /** Guarded: its close waits. */
  static final class Waiting extends GuardedHandle {
    static final HandleType TYPE =
        HandleType.named("waiting")
            .releaser(Ledger::release)
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
}
