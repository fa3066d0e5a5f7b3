package dev.offcut.memory;

import java.io.Serial;

/** The owner, or an owner above it, is closed: it takes no memory any more. Nothing changed. */
public final class ClosedOwnerException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  ClosedOwnerException(String message) {
    super(message);
  }
}
