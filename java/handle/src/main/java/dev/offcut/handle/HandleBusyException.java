package dev.offcut.handle;

/** A handle could not be closed because it is in use or has open children. It stays open. */
public final class HandleBusyException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  HandleBusyException(String message) {
    super(message);
  }
}
