package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown by the free of a block if the program wrote past its end, or before the beginning of the
 * block behind it. The free has taken place.
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
