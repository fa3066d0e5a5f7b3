package dev.offcut.memory;

/**
 * What is known of each granule of a region and of its leaves.
 *
 * <pre>
 *   kind   FREE    part of a free chunk of the {@link GranuleTree}; its pages may still be there
 *          SMALL   the home of one account's chunks below a granule
 *          LARGE   the first of a chunk of one granule or more
 *          REST    another one of it
 *   home   the number of the holding that has it, 0 if it is free
 *
 *   a bit a leaf   use     handed out
 *                  ofProgram  a chunk begins here that the program may free: of no arena or heap
 *                  start   a chunk begins here; LARGE: the granules of the chunk
 *                  dirty   handed out since its page was last given back: one that is not is zero
 * </pre>
 *
 * Guarded by the region's lock.
 */
final class GranuleMaps {
  static final byte FREE = 0;
  static final byte SMALL = 1;
  static final byte LARGE = 2;
  static final byte REST = 3;

  final long base;
  final int granuleBytes;
  final int leafShift;
  private final int granuleShift;

  /** How many granules there are. */
  final int count;

  final long[] use;
  final long[] start;
  final long[] dirty;
  final long[] ofProgram;
  final byte[] kind;
  final int[] home;

  GranuleMaps(Geometry geometry, long base, long bytes) {
    this.base = base;
    granuleBytes = geometry.granuleBytes();
    leafShift = Integer.numberOfTrailingZeros(geometry.leafBytes());
    granuleShift = Integer.numberOfTrailingZeros(granuleBytes);
    count = Math.toIntExact(bytes >> granuleShift);
    use = new long[count];
    start = new long[count];
    dirty = new long[count];
    ofProgram = new long[count];
    kind = new byte[count];
    home = new int[count];
  }

  /** The granule that an address is in. */
  int granule(long address) {
    return (int) ((address - base) >> granuleShift);
  }

  /** The leaf that an address is in, counted from the first of its granule. */
  int leafInGranule(long address) {
    return (int) ((address - base) >> leafShift) & (Geometry.LEAVES - 1);
  }

  /** Where a leaf of a granule begins. */
  long address(int granule, int leaf) {
    return base + (long) granule * granuleBytes + ((long) leaf << leafShift);
  }

  /** How many leaves hold so many bytes. */
  int leaves(long bytes) {
    return (int) ((bytes + (1L << leafShift) - 1) >> leafShift);
  }

  /** Whether a granule is the home of a holding's small chunks. */
  boolean isHomeOf(int granule, Holding holding) {
    return kind[granule] == SMALL && home[granule] == holding.number;
  }

  /** Whether nobody has the leaf at an address. */
  boolean isFree(long address) {
    return (use[granule(address)] & 1L << leafInGranule(address)) == 0;
  }

  /** Whether a chunk of the program begins at an address. */
  boolean isOfProgram(long address) {
    boolean isLeaf = (address & ((1L << leafShift) - 1)) == 0;
    return isLeaf && (ofProgram[granule(address)] & 1L << leafInGranule(address)) != 0;
  }

  /** The program is given the chunk that begins at an address. */
  void addOfProgram(long address) {
    ofProgram[granule(address)] |= 1L << leafInGranule(address);
  }

  /** A chunk is given back, of the program or not. */
  void removeOfProgram(long address) {
    ofProgram[granule(address)] &= ~(1L << leafInGranule(address));
  }

  /** The bytes of the chunk that begins at an address; 0 if none does. */
  long chunkBytes(long address) {
    int granule = granule(address);
    int leaf = leafInGranule(address);
    if (kind[granule] == LARGE && leaf == 0) {
      return start[granule] * granuleBytes;
    }
    boolean begins = kind[granule] == SMALL && (start[granule] & 1L << leaf) != 0;
    return begins ? (long) Leaves.length(use[granule], start[granule], leaf) << leafShift : 0;
  }

  /** Where a chunk is free: an offset in the region. */
  interface FreeChunkVisitor {
    void visitFree(long offset, long bytes);
  }

  /** Visits all free chunks, each as large as it can be, by address. */
  void visitFreeChunks(GranuleTree tree, FreeChunkVisitor visitor) {
    for (int granule = 0; granule < count; ) {
      if (kind[granule] == FREE) {
        int granules = tree.freeAt(granule);
        if (granules == 0) {
          throw new IllegalStateException("granule " + granule + " is free and in no free chunk");
        }
        visitor.visitFree((long) granule * granuleBytes, (long) granules * granuleBytes);
        granule += granules;
      } else {
        if (kind[granule] == SMALL) {
          visitFreeLeaves(granule, visitor);
        }
        granule++;
      }
    }
  }

  private void visitFreeLeaves(int granule, FreeChunkVisitor visitor) {
    for (int leaf = 0; leaf < Geometry.LEAVES; ) {
      int free = Leaves.freeFrom(use[granule], leaf);
      if (free == 0) {
        leaf++;
      } else {
        int aligned = Integer.numberOfTrailingZeros(leaf | 1 << Leaves.SIZES);
        int leaves = 1 << Math.min(aligned, Leaves.log2(free));
        visitor.visitFree(address(granule, leaf) - base, (long) leaves << leafShift);
        leaf += leaves;
      }
    }
  }

  /** Appends a character for each granule, as {@link ChunkMap} says. */
  void appendCells(StringBuilder cells) {
    for (int granule = 0; granule < count; granule++) {
      cells.append(
          switch (kind[granule]) {
            case FREE -> dirty[granule] == 0 ? '_' : '.';
            case SMALL -> use[granule] == -1L ? '#' : use[granule] == 0 ? ':' : '+';
            default -> '#';
          });
    }
  }
}
