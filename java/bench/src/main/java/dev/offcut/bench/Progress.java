package dev.offcut.bench;

import java.io.PrintStream;

/**
 * What is being measured and how long it will take. On a terminal one line that changes; else a
 * line for each round of a case, as for a log.
 */
final class Progress {
  private static final String REWRITE = "\r\033[K";

  private final PrintStream out;
  private final boolean terminal;
  private String last = "";

  Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  void show(Case of, int round, Run run, double secondsLeft) {
    String where = of.name() + ", round " + (round + 1) + " of " + of.rounds();
    String left = ", about " + time(secondsLeft) + " left";
    if (terminal) {
      out.print(REWRITE + where + ": " + run.label() + left);
      out.flush();
    } else if (!where.equals(last)) {
      out.println(where + left);
    }
    last = where;
  }

  /** A line that stays. */
  void say(String line) {
    end();
    out.println(line);
  }

  void end() {
    if (terminal) {
      out.print(REWRITE);
      out.flush();
    }
  }

  static String time(double seconds) {
    long whole = Math.round(seconds);
    return whole < 100 ? whole + " s" : Math.round(whole / 60.0) + " min";
  }
}
