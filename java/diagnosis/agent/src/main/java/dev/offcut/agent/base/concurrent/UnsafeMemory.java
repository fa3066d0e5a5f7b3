package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;

/**
 * Memory of the program's Unsafe, {@code sun.misc.Unsafe}. The JDK itself uses another one.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing but what
 * the JDK does.
 */
public final class UnsafeMemory {
  private static final Blocks BLOCKS = new Blocks(Kind.UNSAFE);

  private UnsafeMemory() {}

  /** There is a new block. */
  public static void allocated(long address, long bytes) {
    BLOCKS.opened(address, bytes);
  }

  /**
   * Gives a block another size, as the JDK does. The table forgets the old address before the JDK
   * frees it: another thread may have the same address before this call returns.
   */
  public static long reallocate(Stock.Unsafe inner, long from, long bytes) {
    long found = BLOCKS.take(from);
    long to;
    try {
      to = inner.reallocateMemory(from, bytes);
    } catch (Throwable e) {
      BLOCKS.putBack(from, found); // the block is as it was
      throw e;
    }
    BLOCKS.moved(found, to, bytes);
    return to;
  }

  /** A block is about to be freed. */
  public static void freeing(long address) {
    BLOCKS.freeing(address, false);
  }
}
