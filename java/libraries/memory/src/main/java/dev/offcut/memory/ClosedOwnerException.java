package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown by a request for memory if the owner, or an owner above it, is closed. Nothing changed.
 */
public final class ClosedOwnerException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  ClosedOwnerException(String message) {
    super(message);
  }
}
