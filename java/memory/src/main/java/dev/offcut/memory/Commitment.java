package dev.offcut.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of a pool have pages or are reserved, at most, and the system they come from. Any
 * thread may use it.
 */
final class Commitment {
  private final NativeMemory memory;
  private final long limitBytes;
  private final AtomicLong bytes = new AtomicLong();

  Commitment(NativeMemory memory, long limitBytes) {
    this.memory = memory;
    this.limitBytes = limitBytes;
  }

  long bytes() {
    return bytes.get();
  }

  long limitBytes() {
    return limitBytes;
  }

  int pageBytes() {
    return memory.pageBytes();
  }

  /** Counts first: what would be too much is not touched. */
  boolean commit(long more) {
    if (more == 0) {
      return true;
    }
    long now = bytes.addAndGet(more);
    if (now <= limitBytes && now >= 0) {
      return true;
    }
    bytes.addAndGet(-more);
    return false;
  }

  /** Whether so much could be committed now. */
  boolean hasRoom(long more) {
    return more <= limitBytes - bytes.get();
  }

  void uncommit(long less) {
    bytes.addAndGet(-less);
  }

  boolean discard(long address, long count) {
    return memory.discard(address, count);
  }
}
