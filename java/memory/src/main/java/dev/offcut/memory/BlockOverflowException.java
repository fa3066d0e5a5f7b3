package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown by the free of a block if the canary behind it has changed: the program wrote past the end
 * of this block, or before the start of the next block. The free has taken place.
 */
public final class BlockOverflowException extends CorruptedBlockException {
  @Serial private static final long serialVersionUID = 1;

  BlockOverflowException(long address, long bytes, String owner, long at) {
    super(
        "0x"
            + Long.toHexString(address)
            + ", a block of "
            + bytes
            + " bytes of the heap of "
            + owner
            + ": the canary behind it has changed at byte "
            + at
            + ": the program wrote past its end, or before the start of the next block. The block"
            + " has been freed",
        address,
        bytes,
        owner);
  }
}
