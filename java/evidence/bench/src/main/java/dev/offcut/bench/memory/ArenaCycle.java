package dev.offcut.bench.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;

/**
 * {@code arena_…}: an arena opened, some blocks of zeros taken from it, each found zeroed and
 * written, and the arena closed. An operation is all of that. A block that is {@code kept} goes
 * into an array, so that its segment and the scope are objects; one that is {@code local} goes
 * nowhere, and the JIT compiler need not make them.
 *
 * <p>Arguments: implementation, blocks, bytes of each, {@code kept} or {@code local}, threads, CPU
 * seconds of warm-up, seconds of measurement.
 */
final class ArenaCycle implements Workers.Work {
  /** Blocks between two looks at the clock. */
  private static final int BLOCKS_IN_A_CHUNK = 1024;

  private final Arenas arenas;
  private final MemorySegment[] kept;
  private final int bytes;
  private final boolean keeps;
  private long dirty;

  private ArenaCycle(Arenas arenas, int blocks, int bytes, boolean keeps) {
    this.arenas = arenas;
    this.bytes = bytes;
    this.keeps = keeps;
    kept = new MemorySegment[blocks];
  }

  public static void main(String[] args) throws InterruptedException {
    int blocks = Integer.parseInt(args[1]);
    int bytes = Integer.parseInt(args[2]);
    boolean keeps = args[3].equals("kept");
    int threads = Integer.parseInt(args[4]);
    try (Arenas arenas = Arenas.of(args[0])) {
      var works =
          Stream.generate(() -> new ArenaCycle(arenas, blocks, bytes, keeps))
              .limit(threads)
              .toList();
      Workers.run(works, Child.nanos(args[5]), Child.nanos(args[6])).report();
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
        if (keeps) {
          kept[i] = segment;
        }
      }
    }
  }

  @Override
  public void check() {
    if (dirty != 0 || (keeps && kept[0].scope().isAlive())) {
      throw new AssertionError(dirty != 0 ? "not zeroed" : "alive after close");
    }
  }
}
