package dev.offcut.handle;

/**
 * Thrown if a handle is used after its close. The message names the type. If the call sites of the
 * opening and of the close were recorded, the message has them, too.
 */
public final class ClosedHandleException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ClosedHandleException(String message) {
    super(message);
  }
}
