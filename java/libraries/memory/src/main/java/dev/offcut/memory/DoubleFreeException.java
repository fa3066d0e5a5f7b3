package dev.offcut.memory;

import java.io.Serial;

/** Thrown if the program frees memory that is free already. Nothing changed. */
public final class DoubleFreeException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  DoubleFreeException(String message) {
    super(message);
  }
}
