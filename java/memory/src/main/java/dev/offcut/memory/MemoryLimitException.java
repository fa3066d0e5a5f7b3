package dev.offcut.memory;

import java.io.Serial;

/**
 * A limit stands against a request. Nothing was taken and nothing is lost: close arenas, free
 * chunks, or raise the limit, and ask again. The message says whose limit it is and who holds what.
 */
public final class MemoryLimitException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final String limitedBy;
  private final long requestedBytes;
  private final long limitBytes;

  @SuppressWarnings("serial") // what is sent elsewhere is the message
  private final transient PoolSnapshot snapshot;

  MemoryLimitException(
      String what, String limitedBy, long requestedBytes, long limitBytes, PoolSnapshot snapshot) {
    super(what + System.lineSeparator() + snapshot);
    this.limitedBy = limitedBy;
    this.requestedBytes = requestedBytes;
    this.limitBytes = limitBytes;
    this.snapshot = snapshot;
  }

  /** The path of the owner whose limit it is, or the name of the pool. */
  public String limitedBy() {
    return limitedBy;
  }

  /** What was asked for. */
  public long requestedBytes() {
    return requestedBytes;
  }

  /** The limit. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Who held what. */
  public PoolSnapshot snapshot() {
    return snapshot;
  }
}
