package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Direct buffers: what their class calls when one has its memory, and before that is freed.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class Buffers {
  private static final Blocks BLOCKS = new Blocks(Kind.BUFFER);

  /** Until JDK 25 what the collector found is freed by the thread of this class. */
  private static final Class<?> HANDLER = handler();

  /** From JDK 26 on it is freed by this thread: none until it has begun to. */
  private static volatile @Nullable Thread loop;

  /** Its class. An attached agent finds it in its loop, which is rewritten for the next one. */
  private static final String CLEANER = "jdk.internal.misc.InnocuousThread";

  /** And by threads that wait for direct memory, as long as they do so. */
  private static final Map<Thread, Thread> WAITING = new ConcurrentHashMap<>();

  private Buffers() {}

  private static Class<?> handler() {
    try {
      return Class.forName("java.lang.ref.Reference$ReferenceHandler", false, null);
    } catch (ClassNotFoundException e) {
      return Void.class; // no thread's class
    }
  }

  /** The JDK's thread frees one that the collector found. */
  public static void cleanInLoop(Stock.BufferCleaner found) {
    loop = Thread.currentThread();
    found.clean();
  }

  /** A thread that waits for direct memory frees one that the collector found. */
  public static void cleanForMemory(Stock.BufferCleaner found) {
    Thread thread = Thread.currentThread();
    try {
      WAITING.put(thread, thread);
    } catch (OutOfMemoryError e) {
      // It will count as closed. What the program waits for comes first.
    }
    try {
      found.clean();
    } finally {
      WAITING.remove(thread);
    }
  }

  private static boolean isLate(Thread thread) {
    return thread.getClass() == HANDLER
        || thread == loop
        || (TrackingSettings.LATE && thread.getClass().getName().equals(CLEANER))
        || WAITING.containsKey(thread);
  }

  /** One got its memory. */
  public static void opened(long address, long bytes) {
    // The thread that opens a probe is the agent's.
    if (Probes.isProbe(Kind.BUFFER) || !OwnBuffers.opened(address)) {
      BLOCKS.opened(address, bytes);
    }
  }

  /** One is about to be freed: since the collector found it, or by the program. */
  public static void freeing(long address) {
    if (!OwnBuffers.freeing(address)) {
      BLOCKS.freeing(address, isLate(Thread.currentThread()));
    }
  }
}
