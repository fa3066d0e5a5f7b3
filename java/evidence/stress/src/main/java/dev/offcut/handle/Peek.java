package dev.offcut.handle;

/** What the proofs need of the net's inside. */
public final class Peek {
  private Peek() {}

  /** Rotates every nursery. */
  public static void rotate() {
    Reaper.pass(false, true);
  }

  /** Checks the invariants of every nursery and registry, at rest. */
  public static void verify() {
    Invariants.check();
  }
}
