package dev.offcut.memory;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * What an arena has of the pool, as a handle: forgotten when neither the arena nor a segment of it
 * is reachable any more.
 *
 * <p>It is the cleanup action of the arena's first segment, and does nothing as such: so the scope,
 * which each segment holds, holds it too.
 */
final class Lease extends Handle implements Consumer<MemorySegment> {
  static final HandleType TYPE =
      HandleType.named("PoolArena").releaser(LineTable::release).create();

  Lease() {}

  /** Takes the first line of the arena. */
  void take(Line line) {
    adopt(line.number);
  }

  /** The arena took nothing. */
  void none() {
    abandon();
  }

  @Override
  public void accept(MemorySegment segment) {}

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
