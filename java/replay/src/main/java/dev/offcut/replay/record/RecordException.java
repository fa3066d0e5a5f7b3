package dev.offcut.replay.record;

/** A program could not be recorded. The message is the one line to show. */
public final class RecordException extends Exception {
  private static final long serialVersionUID = 1;

  RecordException(String message) {
    super(message);
  }

  RecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
