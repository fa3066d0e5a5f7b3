package dev.offcut.memory;

import java.util.Arrays;
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

  final Bin bin;
  final long chunk;

  /** Where the first block begins. */
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

  /** Whether an address is in one of its blocks. */
  boolean contains(long address) {
    return Long.compareUnsigned(address - base, bytes) < 0;
  }

  /** The number of the block that begins at an address within, or -1. */
  int blockAt(long address) {
    long offset = address - base;
    int block = (int) ((offset * reciprocal) >>> RECIPROCAL_BITS);
    return block * blockBytes == offset ? block : -1;
  }

  /** Where a block begins. */
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
   * Takes the free blocks aside that touch pages without a used block, so that nobody is handed
   * them while the pages go.
   *
   * @param chunkBytes of a chunk that begins where the first block does
   * @param taken gets their bits; all zeros before
   * @return a bit for each such page of the chunk
   */
  long takeFreePages(long pageBytes, long chunkBytes, long[] taken) {
    long pages = 0;
    for (int page = 0; (page + 1) * pageBytes <= chunkBytes; page++) {
      int first = (int) (page * pageBytes / blockBytes);
      int last = (int) Math.min(((page + 1) * pageBytes - 1) / blockBytes, blocks - 1);
      if (areFree(first, last)) {
        pages |= 1L << page;
        for (int word = first / Long.SIZE; word <= last / Long.SIZE; word++) {
          taken[word] |= mask(word, first, last);
        }
      }
    }
    for (int word = 0; pages != 0 && word < free.length; word++) {
      free[word] &= ~taken[word];
      if (free[word] == 0) {
        summary &= ~(1L << word);
      }
      used += Long.bitCount(taken[word]);
      aside += Long.bitCount(taken[word]);
    }
    return pages;
  }

  private boolean areFree(int first, int last) {
    for (int word = first / Long.SIZE; word <= last / Long.SIZE; word++) {
      long mask = mask(word, first, last);
      if ((free[word] & mask) != mask) {
        return false;
      }
    }
    return true;
  }

  /** The bits in a word of the blocks from one to another. */
  private static long mask(int word, int first, int last) {
    long from = word == first / Long.SIZE ? -1L << first : -1L;
    long to = word == last / Long.SIZE ? -1L >>> -(last + 1) : -1L;
    return from & to;
  }

  /** Frees the blocks that were taken aside. */
  void freeTaken(long[] taken) {
    int count = 0;
    for (long bits : taken) {
      count += Long.bitCount(bits);
    }
    for (int word = 0; word < free.length; word++) {
      if (taken[word] != 0) {
        free[word] |= taken[word];
        summary |= 1L << word;
      }
    }
    used -= count;
    aside -= count;
  }

  /** Takes all blocks back. */
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
