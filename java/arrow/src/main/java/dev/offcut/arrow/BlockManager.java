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
final class BlockManager extends AllocationManager {
  private final OffcutAllocationManagerFactory factory;

  /** Null without a net, and after the release. */
  private @Nullable Tether tether;

  private final long address;
  private final long bytes;

  /** Throws, in Arrow, if the allocator is closed and assertions are on. */
  BlockManager(
      BufferAllocator allocator,
      OffcutAllocationManagerFactory factory,
      @Nullable Tether tether,
      long address,
      long bytes) {
    super(allocator);
    this.factory = factory;
    this.tether = tether;
    this.address = address;
    this.bytes = bytes;
  }

  /** As much as was asked for, which is what Arrow has counted, and takes off again. */
  @Override
  public long getSize() {
    return bytes;
  }

  @Override
  protected long memoryAddress() {
    return address;
  }

  @Override
  protected void release0() {
    Tether ended = tether;
    if (ended != null) {
      ended.end();
      tether = null; // it may be another buffer's from now on
    }
    factory.freeBlock(address);
  }
}
