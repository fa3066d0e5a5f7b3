package dev.offcut.handle;

/** What the proofs need of the net's inside. */
public final class Peek {
  private Peek() {}

  /** Rotates every nursery. */
  public static void rotate() {
    Reaper.pass(false, true);
  }

  /**
   * A place for one registration of a cleaner, and the registration, made while there was memory.
   */
  public static final class Claimed {
    private static final HandleType TYPE = HandleType.forCleaner("claimed", ReleaseLoop.shared());

    private final Object referent;
    private final Registration registration;
    private final AutoCloseable closing;
    private final Slot slot = // shared, where a claim alone takes it
        TYPE.nurseries.claimShared(Thread.currentThread());

    /**
     * Claims the place; {@code sealed}: as if the claim had been so long ago that its table goes.
     */
    public Claimed(Object referent, Runnable action, boolean sealed) {
      this.referent = referent;
      registration = new Registration(TYPE.nurseries, referent, action);
      closing = registration::clean;
      if (sealed) {
        slot.token.seal();
      }
    }

    /** Registers there: all that is left to do once the place is claimed. */
    public AutoCloseable register() {
      StackProbe.check(); // as Cleaner does before it claims
      registration.enter(slot, referent);
      return closing;
    }
  }

  /** Checks the invariants of every nursery and registry, at rest. */
  public static void verify() {
    Handles.verify();
  }

  /** GC cycles that the net has seen. */
  public static int cycles() {
    return GcClock.cycles();
  }
}
