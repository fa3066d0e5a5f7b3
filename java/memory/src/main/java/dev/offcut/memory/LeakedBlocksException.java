package dev.offcut.memory;

import java.io.Serial;

/**
 * A heap was closed while blocks of it were in use. The heap is closed, and all its blocks are
 * free.
 */
public final class LeakedBlocksException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  LeakedBlocksException(String message) {
    super(message);
  }
}
