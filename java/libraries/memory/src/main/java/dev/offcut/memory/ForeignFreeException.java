package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown if no chunk or block of this pool or heap begins at the freed address. Nothing changed.
 */
public final class ForeignFreeException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1;

  ForeignFreeException(String message) {
    super(message);
  }
}
