package dev.offcut.bench.memory;

import dev.offcut.bench.malloc.Malloc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** {@code jdk-ofConfined}: an arena for each block, the one way to free it alone. */
final class JdkConfined implements Allocator {
  @Override
  public Table table(int slots) {
    Arena[] arenas = new Arena[slots];
    return new SegmentTable(slots) {
      @Override
      MemorySegment allocate(int slot, int bytes) {
        Arena arena = Arena.ofConfined();
        arenas[slot] = arena;
        return arena.allocate(bytes, Long.BYTES);
      }

      @Override
      void free(int slot, MemorySegment segment) {
        arenas[slot].close();
      }
    };
  }

  @Override
  public void trim() {
    Malloc.trim();
  }
}
