package dev.offcut.memory;

import org.jspecify.annotations.Nullable;

/**
 * A request for memory, which takes its answer with it: where the memory is, or whose limit refused
 * it. It belongs to the thread that asks.
 */
abstract class Request {
  final Account account;

  final long bytes;

  /** What is charged for it if it begins in granules that nobody has. */
  final long chargeBytes;

  /** Where the memory begins; valid after a grant. */
  long address;

  /** Whether all of it is zero; valid after a grant. */
  boolean isZero;

  /** Bytes of a granted extent. */
  long grantedBytes;

  /** Whose limit refused it; null as long as none did. */
  @Nullable Account refusedBy;

  Request(Account account, long bytes, long chargeBytes) {
    this.account = account;
    this.bytes = bytes;
    this.chargeBytes = chargeBytes;
  }

  /** Asks a region, whose lock the caller holds: whether the memory was granted. */
  abstract boolean allocateFrom(Region region);
}
