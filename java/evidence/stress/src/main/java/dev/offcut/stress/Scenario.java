package dev.offcut.stress;

import dev.offcut.handle.ClosedHandleException;
import dev.offcut.handle.Detection;
import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Handles;
import dev.offcut.handle.Peek;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** An operation that {@link Exhaustion} tries in a full heap. */
@SuppressWarnings("StaticAssignmentOfThrowable") // thrown where there is no memory for one
enum Scenario {
  /** A nursery, its growth, a slot. */
  OPEN {
    @Override
    AutoCloseable operate(SplittableRandom random) {
      return new Kinds.Exact();
    }
  },
  /** The heap is full when the native open returns. */
  RECORD {
    @Override
    AutoCloseable operate(SplittableRandom random) {
      return new Filling();
    }
  },
  /** A family, and a tracker for the parent. */
  CHILD {
    @Override
    AutoCloseable operate(SplittableRandom random) {
      Kinds.Parent of = parent;
      if (of == null || random.nextInt(6) == 0) {
        of = new Kinds.Parent();
        parent = of; // the one before is forgotten
      }
      return new Kinds.Child(of);
    }

    @Override
    void end() {
      parent = null;
    }
  },
  /** A registration of the drop-in. */
  CLEANER {
    @Override
    AutoCloseable operate(SplittableRandom random) {
      return new Kinds.Registered(Exhaustion.CLEANER);
    }
  },
  /** Promotion: trackers, registry segments. */
  PROMOTE {
    @Override
    AutoCloseable operate(SplittableRandom random) {
      AutoCloseable opened = new Kinds.Exact();
      Peek.rotate();
      return opened;
    }
  },
  /** Sites of openings and closings, and the exception that names them. */
  SITES {
    @Override
    void prepare(SplittableRandom random) {
      Handles.detection(random.nextBoolean() ? Detection.FULL : Detection.SAMPLE);
    }

    @Override
    @Nullable AutoCloseable operate(SplittableRandom random) {
      Handle handle = new Kinds.Exact();
      if (random.nextBoolean()) {
        return handle;
      }
      handle.close();
      try {
        handle.beginUse();
        throw USED;
      } catch (ClosedHandleException e) {
        return null;
      }
    }
  },
  /** Closing, in each place, without a byte of memory: what fails is left to the net. */
  CLOSE {
    @Override
    void prepare(SplittableRandom random) throws InterruptedException {
      Exhaustion.openSome(random);
    }

    @Override
    @Nullable AutoCloseable operate(SplittableRandom random) throws Exception {
      AutoCloseable handle = Exhaustion.take(random);
      if (handle != null) {
        handle.close();
      }
      return null;
    }
  };

  private static Kinds.@Nullable Parent parent;

  // Made while there is memory.
  private static final AssertionError USED = new AssertionError("used after it was closed");

  /** Whether its only native open is its last step, so that an error must come before it. */
  boolean opensLast() {
    return this == OPEN || this == RECORD;
  }

  /** How often a round tries: {@code RECORD} fills the whole heap each time. */
  int attempts() {
    return this == RECORD ? Exhaustion.ATTEMPTS / 10 : Exhaustion.ATTEMPTS;
  }

  /** Called before the heap is filled. */
  void prepare(SplittableRandom random) throws InterruptedException {}

  /** Called in the full heap; what it returns is closed or forgotten at the end. */
  abstract @Nullable AutoCloseable operate(SplittableRandom random) throws Exception;

  /** Called once there is memory again. */
  void end() {}

  /** Loads what the scenarios use, while there is memory. */
  static void load() {
    new Filling().close();
    Filling.armed = true;
    Brim.fill();
    Brim.empty();
    USED.fillInStackTrace();
  }

  private static final class Filling extends Handle {
    static final HandleType TYPE = HandleType.named("filling").releaser(Ledger::release).create();
    private static boolean armed;

    Filling() {
      open(Filling::fillAndOpen);
    }

    private static long fillAndOpen() {
      if (armed) {
        Brim.fill();
      }
      return Kinds.line();
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }
}
