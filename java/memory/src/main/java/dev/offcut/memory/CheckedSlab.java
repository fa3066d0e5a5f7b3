package dev.offcut.memory;

/** A slab that knows of each block how many bytes were asked for, and whether it is put aside. */
final class CheckedSlab extends Slab {
  /** Positive: out; negative: freed and put aside; 0: free. */
  private final long[] asked;

  CheckedSlab(Bin bin, long chunk, long base, long blockBytes, int blocks) {
    super(bin, chunk, base, blockBytes, blocks);
    asked = new long[blocks];
  }

  /** Bytes that were asked for; 0 or less if the block is not out. */
  long asked(int block) {
    return asked[block];
  }

  void handOut(int block, long bytes) {
    asked[block] = bytes;
  }

  /** Frees a block that may not be used again yet: as {@link #asked} was. */
  long putAside(int block) {
    long bytes = asked[block];
    asked[block] = -Math.abs(bytes);
    return bytes;
  }

  /** Frees it. */
  void letGo(int block) {
    asked[block] = 0;
  }

  @Override
  void verify() {
    super.verify();
    for (int block = 0; block < blocks; block++) {
      if (isFree(block) != (asked[block] == 0)) {
        throw new IllegalStateException(
            this + ": block " + block + " was asked for as " + asked[block] + " bytes");
      }
    }
  }
}
