package dev.offcut.memory;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A chunk that is cut into blocks of one size, or is one block. What is free is known outside of
 * the chunk: nothing is written into the memory.
 *
 * <pre>
 *   free      a bit a block: it is free
 *   summary   a bit for each word of them that is not zero
 * </pre>
 *
 * <p>Blocks are handed out from the low end. A slab that has left its heap has all bits set, so
 * that whoever still finds it sees that the block is free.
 *
 * <p>The lock of its bin guards everything that is not final. A slab stays with its bin.
 */
sealed class Slab permits FullBlocks.CheckedSlab {
  /**
   * A block's number is its offset times 2^32 / its size. With that rounded up, it is exact while
   * offset times size is below 2^32: slabs are no more than 64 KiB.
   */
  private static final int RECIPROCAL_BITS = 32;

  private static final long[] NONE = {};

  final Bin bin;
  final long chunk;

  final long base;

  /** From there to the end of the last block. */
  final long bytes;

  final long blockBytes;
  final int blocks;

  /** The number it has in its bin. */
  int number;

  /**
   * The next one of those that left the bin with it, of the thread that put them out; or the next
   * one that its bin keeps.
   */
  @Nullable Slab next;

  /** Whether it was empty at the last turn of the decay, and ever since. */
  boolean isAged;

  int used;

  /** Those of the used blocks that were freed and wait to be free. */
  int aside;

  private final long reciprocal;
  final long[] free;
  long summary;

  /** The free blocks that were taken aside. */
  private long[] taken = NONE;

  /** Then the pages of the chunk that are without a used block, a bit each. */
  long freePages;

  /**
   * Cuts a chunk, or makes it one block; all are free.
   *
   * @param base where the first begins
   */
  Slab(Bin bin, long chunk, long base, long blockBytes, int blocks) {
    this.bin = bin;
    this.chunk = chunk;
    this.base = base;
    this.blockBytes = blockBytes;
    this.blocks = blocks;
    bytes = blockBytes * blocks;
    reciprocal = blocks == 1 ? 0 : ((1L << RECIPROCAL_BITS) + blockBytes - 1) / blockBytes;
    free = new long[(blocks + Long.SIZE - 1) / Long.SIZE];
    Arrays.fill(free, -1);
    free[free.length - 1] = -1L >>> -blocks;
    summary = -1L >>> -free.length;
  }

  boolean contains(long address) {
    return Long.compareUnsigned(address - base, bytes) < 0;
  }

  /** The number of the block that begins at an address within, or -1. */
  int blockAt(long address) {
    long offset = address - base;
    int block = (int) ((offset * reciprocal) >>> RECIPROCAL_BITS);
    return block * blockBytes == offset ? block : -1;
  }

  long address(int block) {
    return base + block * blockBytes;
  }

  boolean isFull() {
    return summary == 0;
  }

  boolean isFree(int block) {
    return (free[block / Long.SIZE] & 1L << block) != 0;
  }

  /** Hands the lowest free block out: its number. There must be one. */
  int allocateBlock() {
    int word = Long.numberOfTrailingZeros(summary);
    long bits = free[word];
    int block = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
    long rest = bits & (bits - 1);
    free[word] = rest;
    if (rest == 0) {
      summary &= summary - 1;
    }
    used++;
    return block;
  }

  /** Takes a block back that is not free. */
  void freeBlock(int block) {
    int word = block / Long.SIZE;
    free[word] |= 1L << block;
    summary |= 1L << word;
    used--;
  }

  /**
   * Takes all free blocks aside if there are pages without a used block, so that nobody is handed
   * one while these pages go.
   *
   * @param chunkBytes of a chunk that begins where the first block does
   * @return whether there are any: {@link #freePages}
   */
  boolean takeFree(long pageBytes, long chunkBytes) {
    BitSet isFree = BitSet.valueOf(free);
    long pages = 0;
    for (int page = 0; (page + 1) * pageBytes <= chunkBytes; page++) {
      int first = (int) (page * pageBytes / blockBytes);
      int last = (int) Math.min(((page + 1) * pageBytes - 1) / blockBytes, blocks - 1);
      if (isFree.nextClearBit(first) > last) {
        pages |= 1L << page;
      }
    }
    if (pages != 0) {
      taken = free.clone();
      Arrays.fill(free, 0);
      summary = 0;
      aside += blocks - used;
      used = blocks;
    }
    freePages = pages;
    return pages != 0;
  }

  /** Frees the blocks that were taken aside. */
  void freeTaken() {
    for (int word = 0; word < free.length; word++) {
      if (taken[word] != 0) {
        free[word] |= taken[word];
        summary |= 1L << word;
        used -= Long.bitCount(taken[word]);
        aside -= Long.bitCount(taken[word]);
      }
    }
    taken = NONE;
  }

  void freeAll() {
    for (int block = 0; block < blocks; block++) {
      if (!isFree(block)) {
        freeBlock(block);
      }
    }
  }

  @Override
  public String toString() {
    return "slab of blocks of " + blockBytes + " bytes at 0x" + Long.toHexString(base);
  }
}
