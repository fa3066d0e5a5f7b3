package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;

/**
 * What the program allocates by JNA's {@code Native.malloc}, of all copies of JNA together. What
 * JNA's Memory allocates by it is none of that: {@link JnaBlocks} counts it.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class NativeBlocks {
  private static final Blocks BLOCKS = new Blocks(Kind.JNA_MALLOC);

  /** What a thread that makes a Memory has here, until it has allocated. */
  private static final ThreadLocal<Class<?>> IN_MEMORY = new ThreadLocal<>();

  private NativeBlocks() {}

  /** What this thread allocates next is a Memory's. */
  public static void beginMemory() {
    IN_MEMORY.set(NativeBlocks.class);
  }

  /** It was, and was counted here or not: another Native may be as it was. */
  static void endMemory() {
    IN_MEMORY.set(null);
  }

  /** There is a new block, or none: then the address is 0. */
  public static void allocated(long address, long bytes) {
    if (IN_MEMORY.get() == null) {
      BLOCKS.opened(address, bytes);
    } else {
      endMemory();
    }
  }

  /** A block is about to be freed. */
  public static void freeing(long address) {
    BLOCKS.freeing(address, false);
  }
}
