package dev.offcut.memory;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bytes charged to an owner for memory that others allocated: a library's, a direct buffer's, a
 * mapped file's.
 *
 * <pre>{@code
 * try (Reservation reservation = owner.reserve(64 << 20)) {
 *   … // memory that is not from the pool
 * }
 * }</pre>
 *
 * <p>The bytes count against the hard limits of the owner and of the owners above it, and against
 * the limit of the pool, until {@link #close}. Nothing is allocated. Snapshots call these bytes
 * external.
 *
 * <p><b>Ownership.</b> A reservation that is dropped without a close stays charged: the pool cannot
 * know whether the reserved memory still exists. While a reservation is open, its owner and the
 * pool cannot be closed.
 *
 * <p><b>Threads.</b> Any thread. {@link #close} needs no Java heap; a second close has no effect.
 */
public final class Reservation implements AutoCloseable {
  private final ChunkAllocator allocator;
  private final Owner owner;
  private final long bytes;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Reservation(ChunkAllocator allocator, Owner owner, long bytes) {
    this.allocator = allocator;
    this.owner = owner;
    this.bytes = bytes;
  }

  /** Charges bytes to an owner. */
  static Reservation open(ChunkAllocator allocator, Owner owner, long bytes) {
    if (bytes <= 0) {
      throw new IllegalSizeException(
          "a reservation of "
              + bytes
              + " bytes for "
              + owner
              + " of pool "
              + owner.pool()
              + ": reserve 1 or more");
    }
    Reservation reservation = new Reservation(allocator, owner, bytes); // first what may fail
    allocator.chargeExternal(owner, bytes);
    return reservation;
  }

  /** {@return the owner that the bytes are charged to} */
  public Owner owner() {
    return owner;
  }

  /** {@return the bytes that are charged while this is open} */
  public long bytes() {
    return bytes;
  }

  /** Ends the charge. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      allocator.dischargeExternal(owner, bytes);
    }
  }

  @Override
  public String toString() {
    return bytes + " bytes reserved for " + owner;
  }
}
