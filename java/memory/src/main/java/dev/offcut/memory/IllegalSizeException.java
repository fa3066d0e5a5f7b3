package dev.offcut.memory;

import java.io.Serial;

/**
 * A size or an alignment that no memory can have: zero or negative, or no power of two. Nothing
 * changed.
 */
public final class IllegalSizeException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1;

  IllegalSizeException(String message) {
    super(message);
  }
}
