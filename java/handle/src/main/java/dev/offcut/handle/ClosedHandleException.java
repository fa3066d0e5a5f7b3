package dev.offcut.handle;

/**
 * A handle was used after it was closed. Names the type and, where they were recorded, both sites.
 */
public final class ClosedHandleException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ClosedHandleException(String message) {
    super(message);
  }
}
