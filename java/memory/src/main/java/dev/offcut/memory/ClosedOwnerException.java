package dev.offcut.memory;

import java.io.Serial;

/** The owner was closed, or an owner above it. Nothing is taken for it any more. */
public final class ClosedOwnerException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  ClosedOwnerException(String message) {
    super(message);
  }
}
