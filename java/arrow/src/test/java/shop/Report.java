package shop;

import dev.offcut.arrow.OffcutAllocationManagerFactory;
import dev.offcut.handle.Handles;
import dev.offcut.memory.MemoryPool;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** A program: it takes a buffer and prints whose memory it is. */
public final class Report {
  private Report() {}

  /** Argument: {@code explicit}, with a pool of its own; {@code small} or {@code large} buffers. */
  public static void main(String[] args) {
    if (args[0].equals("explicit")) {
      OffcutAllocationManagerFactory.on(MemoryPool.named("mine").create().owner()).close();
    }
    try (BufferAllocator allocator = new RootAllocator()) {
      ArrowBuf first = allocator.buffer(1);
      first.close();
      long opened = handles();
      ArrowBuf buffer = allocator.buffer(args[0].equals("large") ? 16 << 20 : 1000);
      System.out.println(
          "arrow buffers use "
              + OffcutAllocationManagerFactory.shared().usedBytes()
              + " bytes of the pool "
              + OffcutAllocationManagerFactory.shared().owner().pool());
      System.out.println("handles " + (handles() - opened));
      buffer.close();
    }
  }

  private static long handles() {
    return Handles.snapshot().types().stream()
        .filter(of -> of.name().equals("arrow buffer"))
        .mapToLong(of -> of.opened())
        .sum();
  }
}
