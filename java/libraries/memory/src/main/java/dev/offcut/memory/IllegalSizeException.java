package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown for an impossible size, limit or alignment. Nothing changed. The cases are:
 *
 * <ul>
 *   <li>a size, a limit or an alignment that must be positive is zero or negative, or the size of
 *       an arena's block is negative;
 *   <li>a size or an alignment must be a power of two, and is not one;
 *   <li>the sizes of the largest and the smallest chunk of a pool are out of their ranges;
 *   <li>the limits of a pool leave no room for one granule or one largest chunk, or its smallest
 *       chunk is below a 64th of a page;
 *   <li>the first size of {@link Owner.Builder#arenaGrowth} is above the largest.
 * </ul>
 */
public final class IllegalSizeException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1;

  IllegalSizeException(String message) {
    super(message);
  }
}
