package dev.offcut.replay;

/** Which of the arenas that a trace closes stay open: every k-th. */
final class Survivors {
  private final int every;
  private int closes;

  /** {@code every} 0: none. */
  Survivors(int every) {
    this.every = every;
  }

  /** Whether the next one stays. */
  boolean spares() {
    closes++;
    return every > 0 && closes % every == 0;
  }
}
