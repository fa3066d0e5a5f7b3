package dev.offcut.memory;

import java.io.Serial;

/**
 * The program wrote past the end of a block, or before the beginning of the block that follows it.
 * This was found when the block was freed. The block has been freed.
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
            + ", was written past its end: byte "
            + at
            + " has changed. It has been freed",
        address,
        bytes,
        owner);
  }
}
