package dev.offcut.bench.memory;

import dev.offcut.bench.malloc.Mimalloc;

/** {@code mimalloc}: by plain downcalls. */
final class MimallocMalloc implements Allocator {
  @Override
  public Table table(int slots) {
    return new AddressTable(slots) {
      @Override
      long allocate(int bytes) {
        return Mimalloc.malloc(bytes);
      }

      @Override
      void free(long address) {
        Mimalloc.free(address);
      }
    };
  }

  @Override
  public void trim() {
    Mimalloc.collect();
  }
}
