package dev.offcut.agent.command;

/** Why the command ends without success: one sentence that says what to do, and the exit code. */
final class Failure extends Exception {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  private Failure(int exitCode, String sentence) {
    super(sentence);
    this.exitCode = exitCode;
  }

  /** What was typed is not understood. */
  static Failure usage(String sentence) {
    return new Failure(Command.USAGE, sentence + "; --help shows the words");
  }

  /** There is no such JVM for this user. */
  static Failure unreachable(String sentence) {
    return new Failure(Command.UNREACHABLE, sentence);
  }

  /** Anything else. */
  static Failure other(String sentence) {
    return new Failure(Command.FAILED, sentence);
  }

  int exitCode() {
    return exitCode;
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}
