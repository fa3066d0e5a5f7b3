package dev.offcut.netty;

import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.ForeignFreeException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.Version;
import org.jspecify.annotations.Nullable;

/**
 * A look at the first buffer of each allocator: its bytes are a block of the heap, and go back to
 * it. A version of Netty that takes another way to its memory would use none of the pool, and
 * nobody would notice.
 */
final class Proof {
  private static final int BYTES = 64;
  private static final long VALUE = 0x0123456789ABCDEFL;

  private Proof() {}

  /** Throws if the direct buffers of an allocator are not blocks of a heap that is not used yet. */
  static void check(ByteBufAllocator allocator, BlockHeap heap) {
    String wrong;
    try {
      wrong = findWrong(allocator, heap);
    } catch (LinkageError e) {
      throw unknown("they cannot be made: " + e, e);
    }
    if (wrong != null) {
      throw unknown(wrong, null);
    }
  }

  private static @Nullable String findWrong(ByteBufAllocator allocator, BlockHeap heap) {
    ByteBuf buffer = allocator.directBuffer(BYTES, 2 * BYTES);
    try {
      if (!buffer.hasMemoryAddress()) {
        return "they have no address";
      }
      if (heap.usedBytes() == 0) {
        return "the pool is not asked for their memory";
      }
      heap.bytesOf(buffer.memoryAddress());
      buffer.writeLong(VALUE);
      if (buffer.getLong(0) != VALUE || buffer.nioBuffer(0, Long.BYTES).getLong(0) != VALUE) {
        return "what is written is not what is read";
      }
    } catch (ForeignFreeException e) {
      return "they are not blocks of the pool";
    } finally {
      buffer.release();
    }
    return heap.usedBytes() == 0 ? null : "their memory does not come back";
  }

  private static UnsupportedOperationException unknown(String why, @Nullable Throwable cause) {
    return new UnsupportedOperationException(
        "Netty "
            + version()
            + " does not keep its direct buffers in the pool ("
            + why
            + "): use Netty 4.1 or 4.2, or another allocator",
        cause);
  }

  private static String version() {
    Version version = Version.identify().get("netty-buffer");
    return version == null ? "of an unknown version" : version.artifactVersion();
  }
}
