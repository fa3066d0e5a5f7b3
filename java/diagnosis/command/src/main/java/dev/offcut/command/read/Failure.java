package dev.offcut.command.read;

/** Why a word ends without success: one sentence that says what to do, and the exit code. */
public final class Failure extends Exception {
  /** Anything but what follows. */
  public static final int FAILED = 1;

  /** Something leaks, and the word was to fail then. */
  public static final int FINDINGS = 3;

  /** There is no such program for this user. */
  public static final int UNREACHABLE = 4;

  /** A recording that cannot be read, or not in full; a check that cannot be answered. */
  public static final int UNREADABLE = 5;

  private static final long serialVersionUID = 1;

  private final int exitCode;
  private final boolean unanswered;

  private Failure(int exitCode, String sentence, boolean unanswered) {
    // A name out of a damaged file may hold anything; a sentence is one line.
    super(sentence.replaceAll("\\p{Cntrl}", "?"));
    this.exitCode = exitCode;
    this.unanswered = unanswered;
  }

  /** The program is there, and does not answer. */
  public static Failure unanswered(String sentence) {
    return new Failure(UNREACHABLE, sentence, true);
  }

  /** Whether a program did not answer. What it has published can still be read. */
  public boolean isUnanswered() {
    return unanswered;
  }

  /** No such program, or none that lets itself be looked at. */
  public static Failure unreachable(String sentence) {
    return new Failure(UNREACHABLE, sentence, false);
  }

  /** A recording from which nothing can be had. */
  public static Failure unreadable(String sentence) {
    return new Failure(UNREADABLE, sentence, false);
  }

  public static Failure other(String sentence) {
    return new Failure(FAILED, sentence, false);
  }

  /** Of another code: those of programs that run programs. */
  public static Failure of(int exitCode, String sentence) {
    return new Failure(exitCode, sentence, false);
  }

  public int exitCode() {
    return exitCode;
  }

  public String sentence() {
    return String.valueOf(getMessage());
  }
}
