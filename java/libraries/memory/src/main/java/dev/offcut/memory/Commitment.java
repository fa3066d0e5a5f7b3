package dev.offcut.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes of a pool have pages or are reserved, at most, and the system they come from. Each
 * such byte is also charged to the pool's budget, if it has one. Any thread may use it.
 */
final class Commitment {
  private final NativeMemory memory;
  private final long limitBytes;
  private final @Nullable Budget budget;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong external = new AtomicLong();

  Commitment(NativeMemory memory, long limitBytes, @Nullable Budget budget) {
    this.memory = memory;
    this.limitBytes = limitBytes;
    this.budget = budget;
  }

  long bytes() {
    return bytes.get();
  }

  /** Bytes of reservations among them. */
  long externalBytes() {
    return external.get();
  }

  void addExternal(long more) {
    external.addAndGet(more);
  }

  long limitBytes() {
    return limitBytes;
  }

  @Nullable Budget budget() {
    return budget;
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
    if (now <= limitBytes && now >= 0 && (budget == null || budget.charge(more))) {
      return true;
    }
    bytes.addAndGet(-more);
    return false;
  }

  boolean hasRoom(long more) {
    return isWithinLimit(more) && (budget == null || budget.hasRoom(more));
  }

  boolean isWithinLimit(long more) {
    return more <= limitBytes - bytes.get();
  }

  void uncommit(long less) {
    bytes.addAndGet(-less);
    if (budget != null) {
      budget.discharge(less);
    }
  }

  /** Takes all bytes off the budget: nobody can free them any more. */
  void uncommitAll() {
    uncommit(bytes.get());
  }

  boolean discard(long address, long count) {
    return memory.discard(address, count);
  }
}
