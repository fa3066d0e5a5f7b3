package dev.offcut.arrow;

import dev.offcut.handle.Tether;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The block behind the buffers of one allocation. Arrow counts the references, and calls {@link
 * #release0} after the last one.
 *
 * <pre>
 *   buffer ──▶ ledger ──▶ manager ──▶ tether (with a net)      the net frees the block if all are unreachable
 *   slice  ────▲
 * </pre>
 */
sealed class BlockManager extends AllocationManager {
  private final OffcutAllocationManagerFactory factory;
  private final long address;
  private final long bytes;

  /** Throws, in Arrow, if the allocator is closed and assertions are on. */
  BlockManager(
      BufferAllocator allocator, OffcutAllocationManagerFactory factory, long address, long bytes) {
    super(allocator);
    this.factory = factory;
    this.address = address;
    this.bytes = bytes;
  }

  /** As much as was asked for, which is what Arrow has counted, and takes off again. */
  @Override
  public final long getSize() {
    return bytes;
  }

  @Override
  protected final long memoryAddress() {
    return address;
  }

  @Override
  protected void release0() {
    factory.freeBlock(address);
  }

  /** With a net. A class of its own: the agent's rule for Arrow leaves it to the net to count. */
  static final class Tethered extends BlockManager {
    /** Null after the release. */
    private @Nullable Tether tether;

    Tethered(
        BufferAllocator allocator,
        OffcutAllocationManagerFactory factory,
        Tether tether,
        long address,
        long bytes) {
      super(allocator, factory, address, bytes);
      this.tether = tether;
    }

    @Override
    protected void release0() {
      Tether ended = tether;
      if (ended != null) {
        ended.end();
        tether = null; // it may be another buffer's from now on
      }
      super.release0();
    }
  }
}
