package dev.offcut.handle;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** Counts GC cycles: the collector enqueues a sentinel's weak reference once a cycle. */
final class GcClock {
  private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

  /** Written by the one thread that waits. */
  private static volatile int cycles;

  private @Nullable WeakReference<Object> sentinel;

  /** GC cycles seen. */
  static int cycles() {
    return cycles;
  }

  /** Waits for a GC cycle, at most so long; true if there was one. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  boolean awaitCycle(long millis) throws InterruptedException {
    if (sentinel == null) {
      sentinel = new WeakReference<>(new Object(), QUEUE); // again, if memory did not allow it
    }
    Reference<?> seen = QUEUE.remove(millis);
    if (seen != null && seen == sentinel) {
      cycles++;
      sentinel = null;
      return true;
    }
    return false;
  }

  /** Ends the wait of a thread without a cycle. */
  static void interruptWait() {
    new WeakReference<>(new Object(), QUEUE).enqueue();
  }
}
