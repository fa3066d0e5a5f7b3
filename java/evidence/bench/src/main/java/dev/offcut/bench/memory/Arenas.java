package dev.offcut.bench.memory;

import dev.offcut.memory.MemoryPool;
import java.lang.foreign.Arena;

/** What opens arenas, of whichever implementation. */
interface Arenas extends AutoCloseable {
  Arena open();

  @Override
  default void close() {}

  /** The implementation with that name in the rows. */
  static Arenas of(String impl) {
    return switch (impl) {
      case "offcut" -> new Confined();
      case "offcut-shared" -> new Shared();
      case "jdk-ofConfined", "jdk-ofConfined-tuned" -> Arena::ofConfined;
      case "jdk-ofShared" -> Arena::ofShared;
      default -> throw new IllegalArgumentException("no implementation " + impl);
    };
  }

  /**
   * {@code offcut}: those of one thread. The pool is in a constant, as programs have it, and as the
   * JDK's static method is one.
   */
  final class Confined implements Arenas {
    private static final MemoryPool POOL = MemoryPool.named("bench").create();

    @Override
    public Arena open() {
      return POOL.owner().openArena();
    }

    @Override
    public void close() {
      POOL.close();
    }
  }

  /** {@code offcut-shared}: those of all threads, with the JDK's contract. */
  final class Shared implements Arenas {
    private static final MemoryPool POOL = MemoryPool.named("bench").create();

    @Override
    public Arena open() {
      return POOL.owner().openSharedArena();
    }

    @Override
    public void close() {
      POOL.close();
    }
  }
}
