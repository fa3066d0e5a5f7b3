package dev.offcut.netty;

import dev.offcut.handle.HandleType;
import dev.offcut.handle.Releaser;
import dev.offcut.handle.Tether;
import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.ClosedHeapException;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the net knows of buffers: the heap of each allocator, by a number. The raw value of a
 * buffer's tether is that number and an address.
 *
 * <pre>
 *   bits 63 … 48   the number of the allocator, from 1
 *   bits 47 …  0   the address of the block
 * </pre>
 *
 * <p>An allocator that is dropped without a close is forgotten as its heap is: the heap's own
 * handle frees all its blocks. So this table refers weakly to heaps. A number is used again only
 * after a close, when no buffer has it.
 */
final class ForgottenBuffers {
  private static final int ADDRESS_BITS = 48;
  private static final int MOST_NUMBERS = 1 << (Long.SIZE - ADDRESS_BITS);

  static final HandleType TYPE =
      HandleType.named("netty buffer")
          .releaser(
              new Releaser() {
                @Override
                public void release(long value) {
                  ForgottenBuffers.release(value);
                }
              })
          .openedThrough("dev.offcut.netty", "io.netty.buffer")
          .create();

  /** By number; replaced as a whole under the lock of this class. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of what is generic
  private static volatile @Nullable WeakReference<BlockHeap>[] heaps = new WeakReference[1];

  private ForgottenBuffers() {}

  /** Adds the heap of an allocator: its number. */
  static synchronized int add(BlockHeap heap) {
    int number = 1;
    while (number < heaps.length && heaps[number] != null) {
      number++;
    }
    if (number == MOST_NUMBERS) {
      throw new IllegalStateException(
          "there have been " + (MOST_NUMBERS - 1) + " allocators that nobody closed: close them");
    }
    @Nullable WeakReference<BlockHeap>[] more =
        Arrays.copyOf(heaps, Math.max(heaps.length, number + 1));
    more[number] = new WeakReference<>(heap);
    heaps = more;
    return number;
  }

  /** Forgets an allocator none of whose buffers is in use. */
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
    return TYPE.tether(raw(number, address));
  }

  /** Ties another block to the net in its place. If this throws, nothing has changed. */
  static void move(Tether tether, int number, long address) {
    tether.move(raw(number, address));
  }

  private static long raw(int number, long address) {
    return (long) number << ADDRESS_BITS | address;
  }
}
