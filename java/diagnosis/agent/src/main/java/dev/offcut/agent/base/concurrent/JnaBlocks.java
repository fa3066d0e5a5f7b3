package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;

/**
 * JNA's Memory, of all copies of JNA together.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class JnaBlocks {
  /** The class of the thread that frees what the collector found, or what it is nested in. */
  private static final String CLEANER = "com.sun.jna.internal.Cleaner";

  private static final String MEMORY = "com.sun.jna.Memory";
  private static final String LIBRARY = "com.sun.jna.";

  private static final Blocks BLOCKS = new Blocks(Kind.JNA);

  private JnaBlocks() {}

  /** There is a new one. Those of JNA's own classes, for arguments and structures, are JNA's. */
  public static void opened(Object memory, long address, long bytes) {
    NativeBlocks.endMemory();
    String type = memory.getClass().getName();
    BLOCKS.opened(address, bytes, type.startsWith(LIBRARY) && !type.equals(MEMORY));
  }

  /** One is about to be freed. */
  public static void freeing(long address) {
    Class<?> thread = Thread.currentThread().getClass();
    BLOCKS.freeing(address, thread != Thread.class && thread.getName().startsWith(CLEANER));
  }
}
