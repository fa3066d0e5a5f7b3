package dev.offcut.memory;

import java.io.Serial;

/**
 * The program wrote to a block after it was freed. This was found when the block was about to be
 * handed out. The block stays free; a new request may return this block or another one.
 */
public final class WriteAfterFreeException extends CorruptedBlockException {
  @Serial private static final long serialVersionUID = 1;

  WriteAfterFreeException(long address, long bytes, String owner, long at) {
    super(
        "0x"
            + Long.toHexString(address)
            + ", a free block of "
            + bytes
            + " bytes of the heap of "
            + owner
            + ", was written to after it was freed: byte "
            + at
            + " has changed. It stays free",
        address,
        bytes,
        owner);
  }
}
