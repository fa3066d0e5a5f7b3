package dev.offcut.bench.memory;

import dev.offcut.bench.malloc.MallocLibrary;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** {@code arrow}: buffers of a root allocator over Unsafe. */
final class ArrowBuffers implements Allocator {
  private final BufferAllocator allocator = new RootAllocator(Long.MAX_VALUE);

  @Override
  public Slots table(int slots) {
    return new Buffers(allocator, slots);
  }

  @Override
  public void trim() {
    MallocLibrary.LIBC.trim(); // Unsafe takes it from there
  }

  @Override
  public void close() {
    allocator.close();
  }

  private static final class Buffers extends Slots {
    private final BufferAllocator allocator;
    private final ArrowBuf[] buffers;

    Buffers(BufferAllocator allocator, int slots) {
      this.allocator = allocator;
      buffers = new ArrowBuf[slots];
    }

    @Override
    void take(int slot, int bytes) {
      ArrowBuf buffer = allocator.buffer(bytes);
      buffer.setLong(0, stamp(slot));
      buffers[slot] = buffer;
    }

    @Override
    void give(int slot) {
      ArrowBuf buffer = buffers[slot];
      check(slot, buffer.getLong(0));
      buffer.close();
    }

    @Override
    long address(int slot) {
      return buffers[slot].memoryAddress();
    }
  }
}
