package dev.offcut.memory;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Releaser;

/**
 * Stands for the blocks of a heap, so that those of a forgotten one come home: nothing that
 * outlives the heap leads back to it.
 */
final class HeapHandle extends Handle {
  private static final NumberTable<Blocks> OPEN = new NumberTable<>();

  private static final HandleType TYPE =
      HandleType.named("block heap")
          .releaser(
              new Releaser() { // no lambda: see MemoryPool
                @Override
                public void release(long number) {
                  HeapHandle.release((int) number);
                }
              })
          .create();

  HeapHandle(Blocks blocks) {
    int number = 0;
    boolean opened = false;
    try {
      number = OPEN.add(blocks);
      blocks.owner.add(blocks);
      adopt(number);
      opened = true;
    } finally {
      if (!opened) {
        abandon(blocks, number);
      }
    }
  }

  /** Initializes this class: see {@link Warmup}. */
  static void warm() {}

  private void abandon(Blocks blocks, int number) {
    if (number != 0) {
      blocks.owner.remove(blocks);
      OPEN.remove(number);
    }
    abandon();
  }

  private static void release(int number) {
    Blocks blocks = OPEN.get(number);
    if (blocks == null) {
      throw new IllegalStateException("heap " + number + " was closed before");
    }
    OPEN.remove(number);
    synchronized (blocks.pool) { // not while it is verified
      blocks.close();
    }
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
