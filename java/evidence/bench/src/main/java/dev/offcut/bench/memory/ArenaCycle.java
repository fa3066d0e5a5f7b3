package dev.offcut.bench.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.offcut.memory.MemoryPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * {@code arena_…}: an arena opened, some blocks of zeros taken from it, each found zeroed, written
 * and kept in an array, and the arena closed. An operation is all of that.
 */
@State(Scope.Thread)
public class ArenaCycle {
  private static final int BYTES = 64;

  @Param("jdk-ofConfined")
  public String impl = "";

  @Param("1")
  public int blocks;

  /** In a constant, as programs have it, and as the JDK's static method is one. */
  private static final class Pool {
    static final MemoryPool POOL = MemoryPool.named("bench").create();
  }

  private Supplier<Arena> arenas = Arena::ofConfined;
  private MemorySegment[] kept = {};
  private long dirty;

  @Setup
  public void setUp() {
    arenas = impl.equals("offcut") ? () -> Pool.POOL.owner().openArena() : Arena::ofConfined;
    kept = new MemorySegment[blocks];
  }

  @Benchmark
  public void arena() {
    try (Arena arena = arenas.get()) {
      for (int i = 0; i < kept.length; i++) {
        MemorySegment segment = arena.allocate(BYTES, Long.BYTES);
        dirty |= segment.get(JAVA_LONG, 0);
        segment.set(JAVA_LONG, 0, -1);
        kept[i] = segment;
      }
    }
  }

  /** The arenas did what they are for. */
  @TearDown
  public void check() {
    if (dirty != 0 || kept[0].scope().isAlive()) {
      throw new AssertionError(dirty != 0 ? "not zeroed" : "alive after close");
    }
  }
}
