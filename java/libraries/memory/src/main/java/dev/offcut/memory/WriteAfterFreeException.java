package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown by a request for a block if the program wrote to that block after it was freed. The block
 * stays free. The next request may get this block or another one.
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
