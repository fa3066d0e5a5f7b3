package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown by a heap with {@link Hardening#full} if the program wrote outside of its blocks. The heap
 * finds such a write later, when some thread frees the block or takes it again: that thread gets
 * the exception.
 */
public abstract sealed class CorruptedBlockException extends IllegalStateException
    permits BlockOverflowException, WriteAfterFreeException {
  @Serial private static final long serialVersionUID = 1;

  /** Where the block begins. */
  private final long address;

  /** How many bytes it has. */
  private final long bytes;

  /** The path of the owner of the heap. */
  private final String owner;

  CorruptedBlockException(String message, long address, long bytes, String owner) {
    super(message);
    this.address = address;
    this.bytes = bytes;
    this.owner = owner;
  }

  /** {@return the address where the block begins} */
  public final long address() {
    return address;
  }

  /** {@return the size of the block in bytes} */
  public final long bytes() {
    return bytes;
  }

  /** {@return the path of the owner of the heap} */
  public final String owner() {
    return owner;
  }
}
