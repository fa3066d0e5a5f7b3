package dev.offcut.command.run;

/**
 * What stdin, stdout and stderr are. Java cannot tell of one of them alone; the launcher can, and
 * does in system properties. Without it they are files.
 */
final class Terminal {
  private static final String STDIN = "offcut.terminal.stdin";
  private static final String STDOUT = "offcut.terminal.stdout";
  private static final String STDERR = "offcut.terminal.stderr";

  private Terminal() {}

  static boolean hasColour() {
    String never = System.getenv("NO_COLOR");
    return Boolean.getBoolean(STDOUT) && !isDumb() && (never == null || never.isEmpty());
  }

  /** Whether a line on stderr can be written again and again. */
  static boolean hasProgress() {
    return Boolean.getBoolean(STDERR) && !isDumb();
  }

  /** Whether somebody may press keys. Ctrl-C then reaches the programs that we start, too. */
  static boolean hasKeys() {
    return Boolean.getBoolean(STDIN);
  }

  private static boolean isDumb() {
    String term = System.getenv("TERM");
    return term == null || term.equals("dumb");
  }
}
