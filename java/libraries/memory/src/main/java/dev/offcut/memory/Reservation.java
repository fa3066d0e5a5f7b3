package dev.offcut.memory;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A charge to an owner for memory that is not from the pool, such as a direct buffer, a mapped file
 * or the memory of a library.
 *
 * <pre>{@code
 * try (Reservation reservation = owner.reserve(64 << 20)) {
 *   … // memory that is not from the pool
 * }
 * }</pre>
 *
 * <p>Until {@link #close}, the bytes count against the hard limits of the owner and of the owners
 * above it, and against the limit of the pool. A reservation allocates nothing. Snapshots call
 * these bytes external.
 *
 * <p><b>Ownership.</b> A reservation that the program drops without a close stays charged: the pool
 * cannot know whether the memory still exists. While a reservation is open, its owner and the pool
 * cannot be closed.
 *
 * <p><b>Threads.</b> Any thread. {@link #close} needs no Java heap.
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

  static Reservation open(ChunkAllocator allocator, Owner owner, long bytes) {
    if (bytes <= 0) {
      throw new IllegalSizeException(
          "a reservation of %s bytes for %s of pool %s: reserve 1 or more"
              .formatted(bytes, owner, owner.pool()));
    }
    Reservation reservation = new Reservation(allocator, owner, bytes); // first what may fail
    allocator.chargeExternal(owner, bytes);
    return reservation;
  }

  /** {@return the owner that is charged} */
  public Owner owner() {
    return owner;
  }

  /** {@return the size of the charge in bytes} */
  public long bytes() {
    return bytes;
  }

  /** Ends the charge. Further calls do nothing. */
  @Override
  public void close() {
    StackProbe.check();
    if (closed.compareAndSet(false, true)) {
      allocator.dischargeExternal(owner, bytes);
    }
  }

  @Override
  public String toString() {
    return bytes + " bytes reserved for " + owner;
  }
}
