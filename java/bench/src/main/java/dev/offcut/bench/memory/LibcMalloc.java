package dev.offcut.bench.memory;

import dev.offcut.bench.malloc.Malloc;

/** {@code libc-malloc}: the C library's, by plain downcalls. */
final class LibcMalloc implements Allocator {
  @Override
  public Table table(int slots) {
    return new AddressTable(slots) {
      @Override
      long allocate(int bytes) {
        return Malloc.malloc(bytes);
      }

      @Override
      void free(long address) {
        Malloc.free(address);
      }
    };
  }

  @Override
  public void trim() {
    Malloc.trim();
  }
}
