package dev.offcut.memory;

import java.io.Serial;

/**
 * A size, a limit or an alignment that is not possible: zero or negative, or no power of two where
 * one is needed. Also thrown when a pool is made whose limits have no room for a granule or a root,
 * or whose smallest chunk is below a 64th of a page; and for {@link Owner.Builder#arenaGrowth} if
 * the first size is above the largest. Nothing changed.
 */
public final class IllegalSizeException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1;

  IllegalSizeException(String message) {
    super(message);
  }
}
