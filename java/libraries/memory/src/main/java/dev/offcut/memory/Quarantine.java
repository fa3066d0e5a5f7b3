package dev.offcut.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Freed blocks that are not used again yet, the oldest first, up to so many bytes. Any thread may
 * use it.
 */
final class Quarantine {
  /**
   * A block.
   *
   * @param slab its slab
   * @param block its number there
   * @param bytes what it counts for
   */
  record FreedBlock(Slab slab, int block, long bytes) {}

  private final long mostBytes;
  private final Deque<FreedBlock> entries = new ArrayDeque<>();
  private long bytes;

  Quarantine(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  synchronized void add(Slab slab, int block, long entryBytes) {
    entries.addLast(new FreedBlock(slab, block, entryBytes));
    bytes += entryBytes;
  }

  /** Takes the oldest out if there are too many bytes, or in any case; null if none is to go. */
  synchronized @Nullable FreedBlock next(boolean anyway) {
    if (entries.isEmpty() || (bytes <= mostBytes && !anyway)) {
      return null;
    }
    FreedBlock oldest = entries.removeFirst();
    bytes -= oldest.bytes;
    return oldest;
  }
}
