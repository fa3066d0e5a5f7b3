package dev.offcut.handle;

/**
 * A handle was used after it was closed. The message names the type and, if they were recorded, the
 * call sites of the opening and of the close.
 */
public final class ClosedHandleException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ClosedHandleException(String message) {
    super(message);
  }
}
