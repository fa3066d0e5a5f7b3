package dev.offcut.handle;

import org.jspecify.annotations.Nullable;

/** What the proofs need of the net's inside. */
public final class Peek {
  private Peek() {}

  /** Rotates every nursery. */
  public static void rotate() {
    Reaper.pass(false, true);
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
