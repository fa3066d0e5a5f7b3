package dev.offcut.arrow;

import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.ForeignFreeException;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BoundsChecking;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A look at the first buffer of each factory: its bytes are a block of the heap, and go back to it.
 * A version of Arrow that takes another way to its memory would use none of the pool, and nobody
 * would notice.
 */
final class Proof {
  private static final int BYTES = 64;
  private static final long VALUE = 0x0123456789ABCDEFL;

  private Proof() {}

  /** Throws if the buffers of a factory are not blocks of a heap that is not used yet. */
  static void check(AllocationManager.Factory factory, BlockHeap heap) {
    String wrong;
    try {
      wrong = findWrong(factory, heap);
    } catch (LinkageError e) {
      throw notLinked(e);
    }
    if (wrong != null) {
      throw unknown(wrong, null);
    }
  }

  /** Whether Arrow looks at the reference count before each access to a buffer. */
  static boolean isAccessChecked() {
    try {
      return BoundsChecking.BOUNDS_CHECKING_ENABLED;
    } catch (LinkageError e) {
      throw notLinked(e);
    }
  }

  private static @Nullable String findWrong(AllocationManager.Factory factory, BlockHeap heap) {
    try (BufferAllocator allocator =
        new RootAllocator(
            RootAllocator.configBuilder().allocationManagerFactory(factory).build())) {
      try (ArrowBuf buffer = allocator.buffer(BYTES)) {
        if (heap.usedBytes() == 0) {
          return "the pool is not asked for their memory";
        }
        heap.bytesOf(buffer.memoryAddress());
        buffer.setLong(0, VALUE);
        if (buffer.getLong(0) != VALUE || buffer.nioBuffer(0, Long.BYTES).get(0) != (byte) VALUE) {
          return "what is written is not what is read";
        }
      } catch (ForeignFreeException e) {
        return "they are not blocks of the pool";
      }
    }
    return heap.usedBytes() == 0 ? null : "their memory does not come back";
  }

  /** A class of Arrow cannot be linked, or failed to start: Arrow then says what it needs. */
  private static UnsupportedOperationException notLinked(LinkageError e) {
    Throwable reason = e;
    while (reason instanceof LinkageError && reason.getCause() != null) {
      reason = reason.getCause();
    }
    if (reason instanceof LinkageError) {
      return unknown("they cannot be made: " + reason, e);
    }
    return new UnsupportedOperationException(
        "Arrow " + version() + " cannot be used in this JVM: " + reason.getMessage(), e);
  }

  private static UnsupportedOperationException unknown(String why, @Nullable Throwable cause) {
    return new UnsupportedOperationException(
        "Arrow "
            + version()
            + " does not keep its buffers in the pool ("
            + why
            + "): use Arrow 17 or 18, or another allocation manager",
        cause);
  }

  static String version() {
    String version = BufferAllocator.class.getPackage().getImplementationVersion();
    if (version == null && BufferAllocator.class.getModule().isNamed()) {
      version = BufferAllocator.class.getModule().getDescriptor().rawVersion().orElse(null);
    }
    return version == null ? "of an unknown version" : version;
  }
}
