package dev.offcut.memory;

import java.io.Serial;

/** The heap is closed. Nothing changed. */
public final class ClosedHeapException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  ClosedHeapException(String message) {
    super(message);
  }
}
