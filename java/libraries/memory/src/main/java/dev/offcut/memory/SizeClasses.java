package dev.offcut.memory;

/**
 * The sizes of small blocks: multiples of 16 bytes, four to each doubling, and as large as the
 * number of them in a slab allows.
 *
 * <pre>
 *   class  0   1   2   3   4   5   6    7    8    9   10   11   12  …  35     36      37
 *   bytes 16  32  48  64  80  96 112  128  160  192  224  256  320  …  16 KiB 21,840  32 KiB
 * </pre>
 *
 * <p>What may be left over: up to 15 bytes below 128, a fifth of a block up to 2 KiB, a quarter up
 * to 20 KiB, half above.
 *
 * <p>A slab is 64 KiB, or a root where that is smaller. A block of more than half of it is a chunk
 * of its own.
 */
final class SizeClasses {
  private static final long SLAB_BYTES = 64 << 10;

  /** Blocks are aligned to so much. */
  static final int ALIGNMENT = 16;

  private final long slabBytes;
  private final int last;

  SizeClasses(Geometry geometry) {
    slabBytes = Math.min(SLAB_BYTES, geometry.rootBytes());
    last = regular(slabBytes / 2) - 2; // of the last doubling's four, three are half a slab
  }

  int count() {
    return last + 1;
  }

  /** The bytes of a slab, a power of two to which its address is aligned. */
  long slabBytes() {
    return slabBytes;
  }

  long mostBytes() {
    return slabBytes / 2;
  }

  /** The class of the smallest blocks that hold so many bytes. */
  int of(long bytes) {
    return Math.min(regular(bytes), last);
  }

  int bytes(int sizeClass) {
    int least =
        sizeClass < 4
            ? (sizeClass + 1) * ALIGNMENT
            : ((sizeClass & 3) + 5) << ((sizeClass >>> 2) + 3);
    return (int) (slabBytes / (slabBytes / least)) & -ALIGNMENT;
  }

  private static int regular(long bytes) {
    int top = (int) bytes - 1;
    if (top < 64) {
      return top >>> 4;
    }
    int doublings = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(top);
    return (doublings - 6) * 4 + (top >>> (doublings - 2));
  }
}
