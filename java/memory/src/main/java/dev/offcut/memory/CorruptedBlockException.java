package dev.offcut.memory;

import java.io.Serial;

/** Somebody wrote where they should not have. Found some time later, by whoever came by. */
public abstract sealed class CorruptedBlockException extends IllegalStateException
    permits BlockOverflowException, WriteAfterFreeException {
  @Serial private static final long serialVersionUID = 1;

  private final long address;
  private final long bytes;
  private final String owner;

  CorruptedBlockException(String message, long address, long bytes, String owner) {
    super(message);
    this.address = address;
    this.bytes = bytes;
    this.owner = owner;
  }

  /** Where the block begins. */
  public final long address() {
    return address;
  }

  /** How many bytes it has. */
  public final long bytes() {
    return bytes;
  }

  /** The path of the owner of the heap. */
  public final String owner() {
    return owner;
  }
}
