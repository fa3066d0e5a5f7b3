package dev.offcut.bench.handle;

/**
 * A malloc that neither fails nor allocates, with a record of every block: for heaps in which
 * nothing else can be allocated any more.
 */
final class Blocks {
  /** More than can be open or lost at a time. */
  private static final int MOST = 1 << 16;

  private static final boolean[] TAKEN = new boolean[MOST + 1];
  private static final int[] FREE = new int[MOST];
  private static int free = MOST;
  private static int doubleFrees;

  static {
    for (int i = 0; i < MOST; i++) {
      FREE[i] = i + 1;
    }
  }

  private Blocks() {}

  static synchronized long malloc() {
    int block = FREE[--free];
    TAKEN[block] = true;
    return block;
  }

  static synchronized void free(long block) {
    int index = (int) block;
    if (!TAKEN[index]) {
      doubleFrees++;
      return;
    }
    TAKEN[index] = false;
    FREE[free++] = index;
  }

  /** Blocks taken and not freed. */
  static synchronized int outstanding() {
    return MOST - free;
  }

  static synchronized int doubleFrees() {
    return doubleFrees;
  }
}
