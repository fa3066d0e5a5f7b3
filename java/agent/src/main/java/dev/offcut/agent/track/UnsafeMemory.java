package dev.offcut.agent.track;

/**
 * Memory of the program's Unsafe, {@code sun.misc.Unsafe}. The JDK itself uses another one.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class UnsafeMemory {
  private static final Blocks BLOCKS = new Blocks(Kind.UNSAFE);

  private UnsafeMemory() {}

  /** There is a new block. */
  public static void allocated(long address, long bytes) {
    BLOCKS.opened(address, bytes);
  }

  /** A block has become another one. */
  public static void reallocated(long to, long from, long bytes) {
    BLOCKS.moved(from, to, bytes);
  }

  /** A block is about to be freed. */
  public static void freeing(long address) {
    BLOCKS.freeing(address, false);
  }
}
