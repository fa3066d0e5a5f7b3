package dev.offcut.handle;

import org.jspecify.annotations.Nullable;

/** What the proofs need of the net's inside. */
public final class Peek {
  private Peek() {}

  /** Rotates every nursery. */
  public static void rotate() {
    Reaper.pass(false, true);
  }

  /** A place for one registration of a cleaner that was claimed while there was memory. */
  public static final class Claimed {
    private final Registration registration = new Registration();
    private final Slot slot = // shared, where a claim alone takes it
        Registration.TYPE.nurseries().claimShared(Thread.currentThread());

    /** Registers there: all that is left to do once the place is claimed. */
    public AutoCloseable register(Object referent, Runnable action) {
      Registration.TYPE.register(slot, registration, referent, action);
      return registration;
    }
  }

  private static final class Registration extends Handle {
    static final HandleType TYPE = HandleType.forCleaner("claimed", ReleaseLoop.shared());

    Registration() {
      super(true);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** Checks the invariants of every nursery and registry, at rest. */
  public static void verify() {
    Handles.verify();
  }

  /** The first release by the tests of {@link Book} of a value that nobody opened, or null. */
  public static @Nullable Throwable wildRelease() {
    return Book.wildRelease();
  }

  /** GC cycles that the net has seen. */
  public static int cycles() {
    return Reaper.cycles();
  }
}
