package dev.offcut.memory;

import java.io.Serial;

/**
 * Thrown if a request would exceed a limit of an owner, of the pool or of its budget. Also thrown
 * if there is no more address space for the pool, or if its maps would need more than a quarter of
 * the Java heap. Nothing was taken. Close arenas, free chunks or raise the limit, and repeat the
 * request. The message names the owner, pool or budget that has the limit, and lists the memory of
 * each owner.
 */
public final class MemoryLimitException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** The path of the owner that has the limit, or the name of the pool or of its budget. */
  private final String limitedBy;

  /** The bytes of the refused request. */
  private final long requestedBytes;

  /** The limit in bytes. */
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

  /**
   * {@return the path of the owner that has the limit, or the name of the pool or of its budget}
   */
  public String limitedBy() {
    return limitedBy;
  }

  /** {@return the bytes of the refused request} */
  public long requestedBytes() {
    return requestedBytes;
  }

  /**
   * {@return the limit in bytes; {@link Long#MAX_VALUE} if address space ran out without a limit}
   */
  public long limitBytes() {
    return limitBytes;
  }

  /**
   * {@return the memory of the pool and of its owners when the request was refused; null in an
   * exception that was deserialized}
   */
  public PoolSnapshot snapshot() {
    return snapshot;
  }
}
