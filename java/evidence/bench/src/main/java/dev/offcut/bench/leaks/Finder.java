package dev.offcut.bench.leaks;

import java.io.IOException;

/** A tool that looks for leaks: how a program runs under it, and what it says then. */
interface Finder {
  String name();

  /** Runs the program under the tool. */
  Seen look(Program program) throws IOException, InterruptedException;

  /**
   * What a tool says of a program, judged by the truth.
   *
   * @param verdict of what it found
   * @param bytes what it says at the right place; 0 where it gives no figure
   * @param said what it says first to the effect that the program leaks; empty: nothing, or its
   *     output is figures alone
   */
  record Seen(Verdict verdict, long bytes, String said) {
    static final Seen NOTHING = new Seen(Verdict.NOT, 0, "");

    static Seen of(Verdict verdict, long bytes) {
      return new Seen(verdict, bytes, "");
    }

    /**
     * Whether this, said of the fixed program, is a false alarm: the tool says so itself, or, where
     * it only gives figures, has half as much or more at the right place as in the broken one.
     */
    boolean isFalseAlarm(Seen broken) {
      return !said.isEmpty() || (bytes >= LEAST_BYTES && 2 * bytes >= broken.bytes);
    }

    /** Less is in any program. */
    private static final long LEAST_BYTES = 1 << 20;
  }

  /** How right a tool is. */
  enum Verdict {
    /** The right finding, first, with the right line. */
    FOUND(1),
    /** Something of it: each tool says what. */
    PARTLY(0.5),
    NOT(0);

    private final double figure;

    Verdict(double figure) {
      this.figure = figure;
    }

    double figure() {
      return figure;
    }
  }
}
