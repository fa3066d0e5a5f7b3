package dev.offcut.memory;

import java.io.Serial;

/**
 * A pool or an owner was to be closed while memory of it is out. It stays open, and nothing
 * changed: close arenas, heaps and reservations, free chunks, and close it again.
 */
public final class MemoryInUseException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  MemoryInUseException(String message) {
    super(message);
  }
}
