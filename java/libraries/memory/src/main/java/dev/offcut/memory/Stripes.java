package dev.offcut.memory;

/**
 * Which of several places a thread goes to first: by its id, since virtual threads come by the
 * million and nothing may be kept for each. Numbers of stripes are powers of two.
 */
final class Stripes {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /**
   * Of the caches of an owner. More than threads that use them side by side, since those whose ids
   * end alike look for theirs in the same places; each keeps memory of its own.
   */
  static final int OF_CACHES = Math.clamp(Integer.highestOneBit(4 * PROCESSORS), 8, 32);

  /** Of a heap. More find less in their slabs, fewer wait for each other. */
  static final int OF_HEAPS = Math.min(16, 2 * Integer.highestOneBit(PROCESSORS));

  private Stripes() {}

  /** The stripe of this thread, of so many. */
  static int ofThread(int count) {
    return (int) Thread.currentThread().threadId() & (count - 1);
  }
}
