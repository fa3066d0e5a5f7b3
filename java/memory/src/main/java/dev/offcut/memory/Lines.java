package dev.offcut.memory;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one owner's arenas: takes them from the pool, and keeps some of closed arenas for
 * the next ones, one a stripe, not longer than {@link Settings#MOST_KEPT_BYTES}, for as long as
 * free memory keeps its pages.
 *
 * <p>A kept line stays in its slot while the next arena uses it, so that one exchange takes it and
 * a store leaves it.
 *
 * <p>Any thread may use it.
 */
final class Lines {
  /** Slots lie this far apart, so that two threads do not share a cache line. */
  private static final int STRIDE = 16;

  private final Owner owner;
  private final MemoryPool pool;

  /** Made when the first line is taken. */
  private volatile @Nullable AtomicReferenceArray<@Nullable Line> kept;

  Lines(Owner owner, MemoryPool pool) {
    this.owner = owner;
    this.pool = pool;
  }

  /** A lease on a line of at least so many bytes, for an arena's first block. */
  Lease open(long bytes) {
    Line line = takeKept();
    if (line != null && line.bytes() < bytes) {
      giveKept(line);
      line = null;
    }
    if (line == null) {
      return lease(takeNumbered(bytes, owner.firstGrowthBytes()));
    }
    line.aged = false;
    Lease lease = line.lease;
    line.lease = null; // from here on the arena has it, and may forget it
    if (lease != null && Lease.isLasting()) {
      return lease;
    }
    if (lease != null) {
      line.stays = true;
      lease.close();
    }
    return lease(line);
  }

  private Line takeNumbered(long bytes, long growthBytes) {
    if (kept == null) {
      makeSlots(); // now, since the close of an arena must not need memory
    }
    Line line = take(bytes, growthBytes);
    try {
      line.number = Lease.LINES.add(line);
    } finally {
      if (line.number == 0) {
        give(line);
      }
    }
    return line;
  }

  private Lease lease(Line line) {
    Lease lease = null;
    try {
      lease = new Lease(line);
      return lease;
    } finally {
      if (lease == null) {
        give(line);
      }
    }
  }

  /** What an arena does here, but for its lease: see {@link Warmup}. */
  void warm() {
    Line line = takeNumbered(Settings.BLOCK_BYTES, owner.firstGrowthBytes());
    Lease.isLasting();
    keep(line);
    Line kept = takeKept();
    if (kept != null) {
      kept.isKept();
      give(kept);
    }
  }

  private @Nullable Line takeKept() {
    AtomicReferenceArray<@Nullable Line> slots = kept;
    if (slots == null) {
      return null;
    }
    for (int probe = 0; probe < Settings.PROBES; probe++) {
      Line line = slots.getAcquire(slot(probe)); // pairs with the exchange in keep
      if (line != null && line.take()) {
        return line;
      }
    }
    return null;
  }

  private static int slot(int probe) {
    int stripe = (int) Thread.currentThread().threadId() + probe;
    return (stripe & (Settings.STRIPES - 1)) * STRIDE;
  }

  /** A line of at least so many bytes, without a number. */
  Line take(long bytes, long growthBytes) {
    return pool.takeLine(owner, bytes, growthBytes);
  }

  /**
   * Adds at least so many bytes to a line: how many, with ZERO or without; or NONE. {@code
   * usedBytes} of it are blocks.
   */
  long extend(Line line, long bytes, long growthBytes, long usedBytes) {
    return pool.extendLine(line, bytes, growthBytes, usedBytes);
  }

  /** Takes the lines of a closed arena back. */
  void close(Lease lease) {
    Line first = lease.line;
    if (isKeepable(first) && Lease.isLasting()) {
      boolean kept = false;
      first.lease = lease; // before it is kept: who takes it there sees it
      try {
        kept = keep(first);
      } finally {
        if (!kept) {
          first.lease = null;
          lease.close();
        }
      }
    } else {
      StackProbe.check(); // without stack the lease is dropped, and the net finds it
      lease.close();
    }
  }

  private static boolean isKeepable(Line first) {
    return first.closed && first.bytes() <= Settings.MOST_KEPT_BYTES;
  }

  /**
   * Takes lines back whose lease ended, by its close or since it was forgotten. The net waits while
   * the pool is verified, for which nobody can ask it to be quiet.
   */
  void release(Line first) {
    if (first.ended) {
      releaseAll(first);
    } else {
      synchronized (pool) {
        releaseAll(first);
      }
    }
  }

  private void releaseAll(Line first) {
    if (first.stays) {
      first.stays = false;
      return;
    }
    if (isKeepable(first) && keep(first)) {
      return;
    }
    for (@Nullable Line line = first; line != null; ) {
      Line next = line.next;
      give(line);
      line = next;
    }
  }

  /** One that was kept before has a slot, and is free again with a store. */
  private boolean keep(Line line) {
    if (line.slot >= 0) {
      line.keep();
      return true;
    }
    AtomicReferenceArray<@Nullable Line> slots = Objects.requireNonNull(kept);
    for (int probe = 0; probe < Settings.PROBES; probe++) {
      int slot = slot(probe);
      // A look before the exchange: a full slot is left alone.
      if (slots.getPlain(slot) == null) {
        boolean placed = false;
        try {
          line.slot = slot;
          line.keep();
          placed = slots.compareAndSet(slot, null, line);
        } finally {
          if (!placed) { // for want of stack, too: no call
            line.slot = -1;
            line.kept = false;
          }
        }
        if (placed) {
          return true;
        }
      }
    }
    return false;
  }

  private synchronized void makeSlots() {
    if (kept == null) {
      kept = new AtomicReferenceArray<>(Settings.STRIPES * STRIDE);
    }
  }

  /** Gives a line back that was kept, with its lease. */
  private void giveKept(Line line) {
    Lease lease = line.lease;
    line.lease = null;
    if (lease == null) {
      give(line);
    } else {
      line.closed = false; // not to be kept again
      lease.close();
    }
  }

  private void give(Line line) {
    if (line.number != 0) {
      Lease.LINES.remove(line.number);
      line.number = 0;
    }
    AtomicReferenceArray<@Nullable Line> slots = kept;
    if (line.slot >= 0 && slots != null) {
      slots.setRelease(line.slot, null); // whoever reads it still finds that it is taken
    }
    pool.giveLine(line);
  }

  /** Gives kept lines back to the pool: all, or those that were kept a turn ago already. */
  void flush(boolean all) {
    AtomicReferenceArray<@Nullable Line> slots = kept;
    for (int slot = 0; slots != null && slot < slots.length(); slot += STRIDE) {
      Line line = slots.get(slot);
      if (line == null || !line.take()) {
        continue;
      }
      if (all || line.aged) {
        giveKept(line);
      } else {
        line.aged = true;
        line.keep();
      }
    }
  }

  /** Bytes kept, and how many of them the regions count as used. */
  void count(PoolCount into) {
    AtomicReferenceArray<@Nullable Line> slots = kept;
    for (int slot = 0; slots != null && slot < slots.length(); slot += STRIDE) {
      Line line = slots.get(slot);
      if (line != null && line.isKept()) {
        into.addKept(owner, line.bytes(), line.countedBytes);
      }
    }
  }
}
