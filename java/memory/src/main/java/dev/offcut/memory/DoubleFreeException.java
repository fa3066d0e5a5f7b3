package dev.offcut.memory;

import java.io.Serial;

/** Memory that is given back is free already. Nothing changed. */
public final class DoubleFreeException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  DoubleFreeException(String message) {
    super(message);
  }
}
