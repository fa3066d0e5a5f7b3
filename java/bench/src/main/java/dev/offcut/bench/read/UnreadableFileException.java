package dev.offcut.bench.read;

/** A file that is no result of a suite. The message says in one sentence what it is, or lacks. */
public final class UnreadableFileException extends Exception {
  private static final long serialVersionUID = 1;

  UnreadableFileException(String message) {
    super(message);
  }
}
