package dev.offcut.memory;

import java.io.Serial;

/** Thrown if a heap is used after its close. Nothing changed. */
public final class ClosedHeapException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  ClosedHeapException(String message) {
    super(message);
  }
}
