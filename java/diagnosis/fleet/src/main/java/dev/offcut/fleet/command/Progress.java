package dev.offcut.fleet.command;

import dev.offcut.command.read.Figures;
import dev.offcut.fleet.duckdb.FleetAdd;
import java.io.PrintStream;

/** Says what a long word does: each sentence at once, how far it is every few seconds. */
final class Progress implements FleetAdd.Listener {
  private static final long PERIOD_NANOS = 5_000_000_000L;

  private final PrintStream err;
  private final long began = System.nanoTime();
  private long said = began;

  private Progress(PrintStream err) {
    this.err = err;
  }

  static Progress on(PrintStream err) {
    return new Progress(err);
  }

  @Override
  public synchronized void skipped(String sentence) {
    err.println("offcut: skipped: " + sentence);
  }

  /** How far it is, as a sentence; said only every few seconds. */
  synchronized void said(String sentence) {
    long now = System.nanoTime();
    if (now - said >= PERIOD_NANOS) {
      said = now;
      err.println("offcut: " + sentence);
    }
  }

  @Override
  public synchronized void done(int sources, int of, long bytes) {
    long now = System.nanoTime();
    if (now - said >= PERIOD_NANOS && sources < of) {
      said = now;
      long each = Math.round(bytes * 1e9 / (now - began));
      err.println(
          "offcut: "
              + Figures.count(sources)
              + " of "
              + Figures.count(of, "source")
              + (bytes == 0 ? "" : ", " + Figures.bytes(each) + " a second"));
    }
  }
}
