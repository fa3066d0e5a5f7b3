package dev.offcut.memory;

import java.io.Serial;

/** Thrown by a request for memory if the pool is closed. Nothing changed. */
public final class ClosedPoolException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  ClosedPoolException(String message) {
    super(message);
  }
}
