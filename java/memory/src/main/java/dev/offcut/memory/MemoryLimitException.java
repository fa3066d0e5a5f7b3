package dev.offcut.memory;

import java.io.Serial;

/**
 * A request was refused because it would exceed a limit. Nothing was taken and nothing is lost:
 * close arenas, free chunks, or raise the limit, and repeat the request. The message names the
 * owner or pool that has the limit, and lists the memory of each owner.
 */
public final class MemoryLimitException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** The path of the owner whose limit it is, or the name of the pool. */
  private final String limitedBy;

  /** What was asked for. */
  private final long requestedBytes;

  /** The limit. */
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

  /** {@return the path of the owner that has the limit, or the name of the pool} */
  public String limitedBy() {
    return limitedBy;
  }

  /** {@return the requested bytes} */
  public long requestedBytes() {
    return requestedBytes;
  }

  /** {@return the limit in bytes} */
  public long limitBytes() {
    return limitBytes;
  }

  /**
   * {@return who held what when the request was refused; null in an exception that was
   * deserialized}
   */
  public PoolSnapshot snapshot() {
    return snapshot;
  }
}
