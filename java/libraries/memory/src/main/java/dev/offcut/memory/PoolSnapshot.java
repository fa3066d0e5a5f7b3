package dev.offcut.memory;

import java.util.List;

/**
 * The memory of a pool and of its owners. Regions are read one after the other, so the figures are
 * exact only if no other thread uses the pool.
 *
 * <p>For the pool and for each owner, used ≤ handed out ≤ committed, and committed + external ≤
 * limit. Committed bytes that are not handed out are of two kinds. The <i>pinned</i> ones are in
 * granules where the owner has chunks in use. The others are in free granules, which the pool soon
 * returns to the system.
 *
 * @param pool the pool's name
 * @param limitBytes the limit of committed and external bytes together
 * @param reservedBytes the reserved address space
 * @param committedBytes granules that have memory
 * @param handedOutBytes chunks that are in use, or kept for the next arena
 * @param usedBytes blocks in these chunks. The chunk that an arena is filling does not count yet
 * @param keptBytes chunks of closed arenas that are kept for the next ones
 * @param externalBytes reservations: memory from outside of the pool, charged to its owners
 * @param freeChunks the free chunks, the largest first
 * @param owners the memory of each owner without its children; parents come before their children
 */
public record PoolSnapshot(
    String pool,
    long limitBytes,
    long reservedBytes,
    long committedBytes,
    long handedOutBytes,
    long usedBytes,
    long keptBytes,
    long externalBytes,
    List<FreeChunks> freeChunks,
    List<OwnerShare> owners) {

  private static final String ROW = "%-24s %14s %14s %14s %14s %14s %14s%n";

  /** Copies the lists. */
  public PoolSnapshot {
    freeChunks = List.copyOf(freeChunks);
    owners = List.copyOf(owners);
  }

  /**
   * The number of free chunks of one size.
   *
   * @param bytes the size of each chunk
   * @param count how many there are
   */
  public record FreeChunks(long bytes, long count) {}

  /**
   * The memory of one owner, without its children.
   *
   * @param owner its {@linkplain Owner#path path}
   * @param limitBytes its hard limit, {@link Long#MAX_VALUE} if there is none
   * @param committedBytes its granules
   * @param handedOutBytes its chunks
   * @param usedBytes its blocks
   * @param externalBytes its reservations
   */
  public record OwnerShare(
      String owner,
      long limitBytes,
      long committedBytes,
      long handedOutBytes,
      long usedBytes,
      long externalBytes) {
    /**
     * {@return the free bytes in granules of this owner that are in use} Only a trim returns them
     * to the system, and only whole pages.
     */
    public long pinnedBytes() {
      return committedBytes - handedOutBytes;
    }
  }

  /**
   * {@return the bytes of the largest free chunk in the reserved address space; 0 if there is none}
   */
  public long largestFreeBytes() {
    long largest = 0;
    for (FreeChunks chunks : freeChunks) {
      largest = chunks.count > 0 ? Math.max(largest, chunks.bytes) : largest;
    }
    return largest;
  }

  /** Returns the figures as a table for people. */
  @Override
  public String toString() {
    StringBuilder table = new StringBuilder();
    table.append(
        ROW.formatted("owner", "used", "handed out", "committed", "pinned", "external", "limit"));
    long pinned = 0;
    for (OwnerShare share : owners) {
      table.append(
          ROW.formatted(
              share.owner,
              share.usedBytes,
              share.handedOutBytes,
              share.committedBytes,
              share.pinnedBytes(),
              share.externalBytes,
              limit(share.limitBytes)));
      pinned += share.pinnedBytes();
    }
    table.append(
        ROW.formatted(
            "pool " + pool,
            usedBytes,
            handedOutBytes,
            committedBytes,
            pinned,
            externalBytes,
            limit(limitBytes)));
    table.append("free chunks:");
    for (FreeChunks chunks : freeChunks) {
      if (chunks.count > 0) {
        table.append(' ').append(chunks.count).append(" of ").append(chunks.bytes).append(" B,");
      }
    }
    table.append(" kept for the next request ").append(keptBytes).append(" B");
    return table.toString();
  }

  private static String limit(long bytes) {
    return bytes == Long.MAX_VALUE ? "none" : Long.toString(bytes);
  }
}
