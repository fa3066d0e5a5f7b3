package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown by the close of a heap if some of its blocks were still in use. The heap is closed, and
 * all its blocks are freed.
 */
public final class LeakedBlocksException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  LeakedBlocksException(String message) {
    super(message);
  }
}
