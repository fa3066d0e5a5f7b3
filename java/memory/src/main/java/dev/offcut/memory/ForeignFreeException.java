package dev.offcut.memory;

import java.io.Serial;

/** What is given back begins no chunk or block of this pool or arena. Nothing changed. */
public final class ForeignFreeException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1;

  ForeignFreeException(String message) {
    super(message);
  }
}
