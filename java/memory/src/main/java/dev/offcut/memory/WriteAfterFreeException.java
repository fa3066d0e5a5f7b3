package dev.offcut.memory;

import java.io.Serial;

/**
 * A free block that was to be handed out has been written to since it was freed. It stays free;
 * asking again gives it, or another.
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
