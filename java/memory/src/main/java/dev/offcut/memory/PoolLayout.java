package dev.offcut.memory;

import java.util.List;

/**
 * The free chunks of each region of a pool. All other memory of a region is handed out.
 *
 * @param regions by address
 */
public record PoolLayout(List<RegionLayout> regions) {
  /** Copies the list. */
  public PoolLayout {
    regions = List.copyOf(regions);
  }

  /**
   * Reserved address space.
   *
   * @param address where it begins
   * @param bytes how long it is
   * @param free its free chunks, each as large as it can be, by offset
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
   * @param offset from the beginning of its region
   * @param bytes its size
   */
  public record FreeChunk(long offset, long bytes) {}
}
