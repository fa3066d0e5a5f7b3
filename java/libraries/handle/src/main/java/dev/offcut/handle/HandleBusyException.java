package dev.offcut.handle;

/**
 * Thrown by a close if the handle is in use or has open children. The handle stays open. Only under
 * {@link CloseWithChildren#CASCADE} it is closing, and is released after its last child.
 */
public final class HandleBusyException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  HandleBusyException(String message) {
    super(message);
  }
}
