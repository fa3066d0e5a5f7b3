package dev.offcut.memory;

import java.io.Serial;

/** The program freed memory that is already free. Nothing changed. */
public final class DoubleFreeException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  DoubleFreeException(String message) {
    super(message);
  }
}
