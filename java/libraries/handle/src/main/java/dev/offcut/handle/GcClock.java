package dev.offcut.handle;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** Tells of GC cycles: the collector enqueues a sentinel's weak reference once a cycle. */
final class GcClock {
  private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

  private @Nullable WeakReference<Object> sentinel;

  /** Waits for a GC cycle, at most so long; true if there was one. */
  boolean awaitCycle(long millis) throws InterruptedException {
    if (sentinel == null) {
      sentinel = new WeakReference<>(new Object(), QUEUE); // again, if memory did not allow it
    }
    Reference<?> seen = QUEUE.remove(millis);
    if (seen != null && seen == sentinel) {
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
