package dev.offcut.memory;

import java.io.Serial;

/**
 * The program closed a pool or an owner whose memory is still in use. The pool or owner stays open,
 * and nothing changed: close arenas, heaps and reservations, free chunks, and call {@code close}
 * again.
 */
public final class MemoryInUseException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  MemoryInUseException(String message) {
    super(message);
  }
}
