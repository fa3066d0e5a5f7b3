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
      case "offcut" -> new Confined(MemoryPool.named("bench").create());
      case "offcut-shared" -> new Shared(MemoryPool.named("bench").create());
      case "jdk-ofConfined", "jdk-ofConfined-tuned" -> Arena::ofConfined;
      case "jdk-ofShared" -> Arena::ofShared;
      default -> throw new IllegalArgumentException("no implementation " + impl);
    };
  }

  /** {@code offcut}: those of one thread. */
  record Confined(MemoryPool pool) implements Arenas {
    @Override
    public Arena open() {
      return pool.owner().openArena();
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  /** {@code offcut-shared}: those of all threads, with the JDK's contract. */
  record Shared(MemoryPool pool) implements Arenas {
    @Override
    public Arena open() {
      return pool.owner().openSharedArena();
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
