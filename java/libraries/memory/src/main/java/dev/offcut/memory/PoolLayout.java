package dev.offcut.memory;

import java.util.List;

/**
 * The free chunks of each region of a pool. All other memory of a region is handed out.
 *
 * @param regions the regions, in the order of their addresses
 */
public record PoolLayout(List<RegionLayout> regions) {
  /** Copies the list. */
  public PoolLayout {
    regions = List.copyOf(regions);
  }

  /**
   * A region: a range of reserved address space.
   *
   * @param address where the region begins
   * @param bytes the size of the region
   * @param free its free chunks, by offset; free neighbours are joined as far as possible
   */
  public record RegionLayout(long address, long bytes, List<FreeChunk> free) {
    /** Copies the list. */
    public RegionLayout {
      free = List.copyOf(free);
    }
  }

  /**
   * A free chunk.
   *
   * @param offset its distance from the beginning of the region, in bytes
   * @param bytes its size
   */
  public record FreeChunk(long offset, long bytes) {}
}
