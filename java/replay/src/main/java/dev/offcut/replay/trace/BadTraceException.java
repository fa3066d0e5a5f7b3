package dev.offcut.replay.trace;

/** A trace that cannot be read. The message is the one line to show. */
public final class BadTraceException extends Exception {
  private static final long serialVersionUID = 1;

  BadTraceException(String message) {
    super(message);
  }

  BadTraceException(String message, Throwable cause) {
    super(message, cause);
  }
}
