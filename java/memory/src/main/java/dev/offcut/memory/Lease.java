package dev.offcut.memory;

import dev.offcut.handle.Detection;
import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Handles;
import dev.offcut.handle.Releaser;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * What an arena has of the pool, as a handle: forgotten when neither the arena nor a segment of it
 * is reachable any more.
 *
 * <p>It is the cleanup action of the arena's first segment, and does nothing as such: so the scope,
 * which each segment holds, holds it too.
 *
 * <p>A closed arena leaves it open with the line it keeps, for the next arena; but not where the
 * net records which line of a program opened what.
 */
final class Lease extends Handle implements Consumer<MemorySegment> {
  /** The lines that arenas may forget. */
  static final NumberTable<Line> LINES = new NumberTable<>();

  static final HandleType TYPE =
      HandleType.named("PoolArena")
          .releaser(
              new Releaser() { // no lambda: see MemoryPool
                @Override
                public void release(long number) {
                  Lease.release((int) number);
                }
              })
          .create();

  /** The first line of its arena. */
  final Line line;

  /** Opens one on a line that has a number. */
  Lease(Line line) {
    this.line = line;
    adopt(line.number);
  }

  /** What became of a closed or a forgotten arena's lines. */
  private static void release(int number) {
    Line line = LINES.get(number);
    if (line == null) {
      throw new IllegalStateException("line " + number + " of an arena was given back before");
    }
    line.owner.lines().release(line);
  }

  /** Says which lines arenas hold, and which are kept for the next ones. */
  static void claim(Claims claims) {
    for (int number = 1, end = LINES.end(); number < end; number++) {
      for (Line line = LINES.get(number); line != null; line = line.next) {
        claims.addLine(line);
      }
    }
  }

  /** As its own class is for a segment: see {@link Warmup}. */
  static final class Warm implements Consumer<MemorySegment> {
    @Override
    public void accept(MemorySegment segment) {}
  }

  /** Whether arena after arena may have the same. */
  static boolean isLasting() {
    Detection level = Handles.detection();
    return level == Detection.OFF || level == Detection.COUNT;
  }

  @Override
  public void accept(MemorySegment segment) {}

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
