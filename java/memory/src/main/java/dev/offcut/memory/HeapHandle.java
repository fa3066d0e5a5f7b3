package dev.offcut.memory;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands for the blocks of a heap, so that those of a forgotten one come home: nothing that
 * outlives the heap leads back to it.
 */
final class HeapHandle extends Handle {
  private static final HandleType TYPE =
      HandleType.named("block heap").releaser(HeapHandle::release).create();

  private static final ConcurrentMap<Long, Blocks> OPEN = new ConcurrentHashMap<>();
  private static final AtomicLong NUMBERS = new AtomicLong();

  HeapHandle(Blocks blocks) {
    open(
        () -> {
          long number = NUMBERS.incrementAndGet();
          OPEN.put(number, blocks);
          blocks.owner().heaps().add(blocks);
          return number;
        });
  }

  private static void release(long number) {
    Blocks blocks = OPEN.remove(number);
    if (blocks != null) {
      synchronized (blocks.pool) { // not while it is verified
        blocks.close();
      }
    }
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
