package dev.offcut.fleet.command;

import dev.offcut.fleet.duckdb.FleetAdd;
import java.io.PrintStream;

/** Says what a long word does: what was skipped at once, how far it is every few seconds. */
final class Progress implements FleetAdd.Listener {
  private static final long PERIOD_NANOS = 5_000_000_000L;

  private final PrintStream err;
  private long said = System.nanoTime();

  Progress(PrintStream err) {
    this.err = err;
  }

  @Override
  public synchronized void skipped(String sentence) {
    err.println("offcut: skipped: " + sentence);
  }

  @Override
  public synchronized void progress(String sentence) {
    long now = System.nanoTime();
    if (now - said >= PERIOD_NANOS) {
      said = now;
      err.println("offcut: " + sentence);
    }
  }
}
