package dev.offcut.bench.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;

/**
 * {@code arena_…}: an arena opened, some blocks of zeros taken from it, each found zeroed and
 * written, and the arena closed. An operation is all of that. The blocks go into an array, so that
 * their segments and the scope are objects.
 *
 * <p>Arguments: implementation, blocks, bytes of each, threads, CPU seconds of warm-up, seconds of
 * measurement.
 */
final class ArenaCycle implements Workers.Work {
  /** Blocks between two looks at the clock. */
  private static final int BLOCKS_IN_A_CHUNK = 1024;

  private final Arenas arenas;
  private final MemorySegment[] kept;
  private final int bytes;
  private long dirty;

  private ArenaCycle(Arenas arenas, int blocks, int bytes) {
    this.arenas = arenas;
    this.bytes = bytes;
    kept = new MemorySegment[blocks];
  }

  public static void main(String[] args) throws InterruptedException {
    int blocks = Integer.parseInt(args[1]);
    int bytes = Integer.parseInt(args[2]);
    int threads = Integer.parseInt(args[3]);
    try (Arenas arenas = Arenas.of(args[0])) {
      var works =
          Stream.generate(() -> new ArenaCycle(arenas, blocks, bytes)).limit(threads).toList();
      Workers.run(works, Child.nanos(args[4]), Child.nanos(args[5])).report();
    }
  }

  @Override
  public int chunk() {
    return Math.max(1, BLOCKS_IN_A_CHUNK / kept.length);
  }

  @Override
  public void times(int operations) {
    for (int i = 0; i < operations; i++) {
      once();
    }
  }

  private void once() {
    try (Arena arena = arenas.open()) {
      for (int i = 0; i < kept.length; i++) {
        MemorySegment segment = arena.allocate(bytes, Long.BYTES);
        dirty |= segment.get(JAVA_LONG, 0);
        segment.set(JAVA_LONG, 0, -1);
        kept[i] = segment;
      }
    }
  }

  @Override
  public void check() {
    if (dirty != 0 || kept[0].scope().isAlive()) {
      throw new AssertionError(dirty != 0 ? "not zeroed" : "alive after close");
    }
  }
}
