package dev.offcut.arrow;

import dev.offcut.handle.HandleType;
import dev.offcut.handle.Releaser;
import dev.offcut.handle.Tether;
import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.ClosedHeapException;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the net knows of buffers: the heap of each factory, by a number. The raw value of a buffer's
 * tether is that number and an address.
 *
 * <pre>
 *   bits 63 … 48   the number of the factory, from 1
 *   bits 47 …  0   the address of the block
 * </pre>
 *
 * <p>A factory that is dropped without a close is forgotten as its heap is: the heap's own handle
 * frees all its blocks. So this table refers weakly to heaps. A number is used again only after a
 * close, when no buffer has it.
 */
final class ForgottenBuffers {
  private static final int ADDRESS_BITS = 48;
  private static final int MOST_NUMBERS = 1 << (Long.SIZE - ADDRESS_BITS);

  static final HandleType TYPE =
      HandleType.named("arrow buffer")
          .releaser(
              new Releaser() {
                @Override
                public void release(long value) {
                  ForgottenBuffers.release(value);
                }
              })
          .openedThrough(
              "dev.offcut.arrow",
              "org.apache.arrow.memory",
              "org.apache.arrow.memory.unsafe",
              "org.apache.arrow.vector",
              "org.apache.arrow.vector.complex",
              "org.apache.arrow.vector.complex.impl",
              "org.apache.arrow.vector.complex.writer",
              "org.apache.arrow.vector.compression",
              "org.apache.arrow.vector.dictionary",
              "org.apache.arrow.vector.ipc",
              "org.apache.arrow.vector.ipc.message",
              "org.apache.arrow.vector.table",
              "org.apache.arrow.vector.types",
              "org.apache.arrow.vector.types.pojo",
              "org.apache.arrow.vector.util")
          .create();

  /** By number; replaced as a whole under the lock of this class. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of what is generic
  private static volatile @Nullable WeakReference<BlockHeap>[] heaps = new WeakReference[1];

  private ForgottenBuffers() {}

  /** Adds the heap of a factory: its number. */
  static synchronized int add(BlockHeap heap) {
    int number = 1;
    while (number < heaps.length && heaps[number] != null) {
      number++;
    }
    if (number == MOST_NUMBERS) {
      throw new IllegalStateException(
          "there have been " + (MOST_NUMBERS - 1) + " factories that nobody closed: close them");
    }
    @Nullable WeakReference<BlockHeap>[] more =
        Arrays.copyOf(heaps, Math.max(heaps.length, number + 1));
    more[number] = new WeakReference<>(heap);
    heaps = more;
    return number;
  }

  /** Forgets a factory none of whose buffers is in use. */
  static synchronized void remove(int number) {
    @Nullable WeakReference<BlockHeap>[] fewer = heaps.clone();
    fewer[number] = null;
    heaps = fewer;
  }

  private static void release(long raw) {
    WeakReference<BlockHeap> reference = heaps[(int) (raw >>> ADDRESS_BITS)];
    BlockHeap heap = reference == null ? null : reference.get();
    if (heap != null) {
      try {
        heap.free(raw & (1L << ADDRESS_BITS) - 1);
      } catch (ClosedHeapException e) {
        // All its blocks are free.
      }
    }
  }

  /** Ties a block to the net for a buffer. If this throws, the caller still owns the block. */
  static Tether tether(int number, long address) {
    return TYPE.tether((long) number << ADDRESS_BITS | address);
  }
}
