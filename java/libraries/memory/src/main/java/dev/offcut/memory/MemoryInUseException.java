package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown by the close of a pool or an owner if some of its memory is still in use. Nothing changed:
 * the pool or owner stays open. Close its arenas, heaps and reservations, free its chunks, and call
 * {@code close} again.
 */
public final class MemoryInUseException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  MemoryInUseException(String message) {
    super(message);
  }
}
