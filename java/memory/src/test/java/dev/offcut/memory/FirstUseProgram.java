package dev.offcut.memory;

import java.util.List;

/**
 * Uses each part of a pool for the first time in a Java heap with a little room, which grows by less
 * than what an initialization takes; then once more with all the room it needs. A class whose
 * initialization failed would be broken then.
 */
final class FirstUseProgram {
  private static final int STEP_BYTES = 128;
  private static final int MOST_BYTES = 12 << 10;

  /** A part of the library, used as a program does. */
  interface Use {
    void run();
  }

  /** Both are fields, so that the collector sees them as long as they are set. */
  private static volatile Object spare;

  private static volatile Object filling;

  private FirstUseProgram() {}

  public static void main(String[] arguments) {
    MemoryPool pool = MemoryPool.named("first").create();
    Owner owner = pool.owner();
    List<Use> uses =
        List.of(
            () -> pool.freeChunk(owner.allocateChunk(4096)),
            () -> useBlocks(owner.openHeap()),
            () -> useBlocks(owner.openConfinedHeap()),
            () -> useBlocks(owner.openScopedHeap()),
            () -> useBlocks(owner.openHeap(Hardening.FULL)),
            () -> useArena(owner.openArena()),
            () -> useArena(owner.openSharedArena()),
            () -> owner.reserve(1).close(),
            pool::snapshot,
            pool::trim);
    int refused = 0;
    for (int room = 0; room < MOST_BYTES; room += STEP_BYTES) {
      spare = new byte[room];
      filling = fill();
      spare = null;
      for (int i = 0; i < uses.size(); i++) {
        try {
          uses.get(i).run();
        } catch (Throwable e) { // of what broke for ever the last round tells
          refused++;
        }
      }
      filling = null;
    }
    for (Use use : uses) {
      use.run();
    }
    System.out.println("whole after " + refused + " refusals");
  }

  private static void useBlocks(BlockHeap heap) {
    try (heap) {
      heap.free(heap.allocate(100));
    }
  }

  private static void useArena(PoolArena arena) {
    try (arena) {
      arena.allocate(64, 8);
    }
  }

  /** Arrays that refer to each other, the last of them of one element. */
  private static Object[] fill() {
    Object[] head = null;
    for (int length = 1 << 16; length > 0; ) {
      try {
        Object[] next = new Object[length];
        next[0] = head;
        head = next;
      } catch (OutOfMemoryError e) {
        length /= 2;
      }
    }
    return head;
  }
}
