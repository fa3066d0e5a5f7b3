package dev.offcut.replay;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongConsumer;

/** Says on stderr how far replays are, from the second on that they take longer than a moment. */
final class Progress implements LongConsumer {
  private static final long PERIOD_NANOS = 2_000_000_000L;

  private final PrintStream err;
  private final long total;
  private String policy = "";
  private long before;
  private long reached;
  private long said = System.nanoTime();

  /** {@code total}: how much there is to do in all replays together, about. */
  Progress(PrintStream err, long total) {
    this.err = err;
    this.total = total;
  }

  void begin(String nextPolicy) {
    policy = nextPolicy;
    before += reached;
    reached = 0;
  }

  @Override
  public void accept(long operations) {
    reached = operations;
    long now = System.nanoTime();
    if (now - said >= PERIOD_NANOS) {
      said = now;
      err.println(
          String.format(
              Locale.ROOT,
              "offcut: replaying, %s: %,d of about %,d operations",
              policy,
              before + reached,
              Math.max(total, before + reached)));
    }
  }
}
