package dev.offcut.memory;

import java.io.Serial;

/** The pool is closed. Nothing changed. */
public final class ClosedPoolException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  ClosedPoolException(String message) {
    super(message);
  }
}
