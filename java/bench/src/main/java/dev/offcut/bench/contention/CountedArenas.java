package dev.offcut.bench.contention;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;

/**
 * Opens and closes confined arenas, which the agent counts if it is there.
 *
 * <p>Arguments: threads, CPU seconds of warm-up, seconds of measurement.
 */
final class CountedArenas {
  private CountedArenas() {}

  public static void main(String[] args) throws InterruptedException {
    var works = Stream.generate(Loop::new).limit(Integer.parseInt(args[0])).toList();
    Workers.run(works, Child.nanos(args[1]), Child.nanos(args[2])).report();
  }

  private static final class Loop implements Workers.Work {
    private static final int BYTES = 64;

    private long written;
    private long read;

    @Override
    public void times(int operations) {
      for (int i = 0; i < operations; i++) {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment block = arena.allocate(BYTES);
          block.set(ValueLayout.JAVA_LONG, 0, i);
          written += i;
          read += block.get(ValueLayout.JAVA_LONG, 0);
        }
      }
    }

    @Override
    public void check() {
      if (read != written) {
        throw new AssertionError("wrote " + written + " in all, read " + read);
      }
    }
  }
}
