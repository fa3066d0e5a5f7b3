package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown by a heap with {@link Hardening#FULL} if the program wrote outside of its blocks. The heap
 * finds such a write later, when some thread uses the block again: that thread gets the exception.
 *
 * <ul>
 *   <li>When a block is freed or resized, if the canary behind it has changed: the program wrote
 *       past the end of this block, or before the start of the next block. A free has taken place.
 *       A block that was to be resized is unchanged and still in use.
 *   <li>When a block is requested, if the program wrote to it after it was freed. The block stays
 *       free. The next request may get this block or another one.
 * </ul>
 */
public final class CorruptedBlockException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  private CorruptedBlockException(String message) {
    super(message);
  }

  /** The byte {@code at} behind a block has changed. */
  static CorruptedBlockException overflow(
      long address, long bytes, String owner, long at, boolean isFreed) {
    return new CorruptedBlockException(
        ("0x%x, a block of %s bytes of the heap of %s: the canary behind it has changed at byte %s:"
                + " the program wrote past its end, or before the start of the next block."
                + " The block %s")
            .formatted(
                address,
                bytes,
                owner,
                at,
                isFreed ? "has been freed" : "is unchanged: copy what you need, and free it"));
  }

  /** The byte {@code at} of a free block has changed. */
  static CorruptedBlockException writeAfterFree(long address, long bytes, String owner, long at) {
    return new CorruptedBlockException(
        ("0x%x, a free block of %s bytes of the heap of %s, was written to after it was freed:"
                + " byte %s has changed. It stays free")
            .formatted(address, bytes, owner, at));
  }
}
