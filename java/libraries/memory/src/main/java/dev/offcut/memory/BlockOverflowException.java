package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown when a block is freed or resized, if the canary behind it has changed: the program wrote
 * past the end of this block, or before the start of the next block. A free has taken place. A
 * block that was to be resized is unchanged and still in use.
 */
public final class BlockOverflowException extends CorruptedBlockException {
  @Serial private static final long serialVersionUID = 1;

  BlockOverflowException(long address, long bytes, String owner, long at, boolean isFreed) {
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
            + (isFreed ? " has been freed" : " is unchanged: copy what you need, and free it"),
        address,
        bytes,
        owner);
  }
}
