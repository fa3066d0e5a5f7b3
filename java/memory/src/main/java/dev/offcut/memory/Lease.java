package dev.offcut.memory;

import dev.offcut.handle.Detection;
import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Handles;
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
  static final HandleType TYPE =
      HandleType.named("PoolArena").releaser(LineTable::release).create();

  /** The first line of its arena. */
  final Line line;

  /** Opens one on a line that has a number. */
  Lease(Line line) {
    this.line = line;
    adopt(line.number);
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
