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
  /** The extents that arenas may forget. */
  static final NumberTable<Extent> EXTENTS = new NumberTable<>();

  static final HandleType TYPE =
      HandleType.named("PoolArena")
          .openedThrough("dev.offcut.memory")
          .releaser(Lease::release)
          .create();

  /** The first extent of its arena. */
  final Extent extent;

  /** Opens one on an extent that has a number. */
  Lease(Extent extent) {
    this.extent = extent;
    adopt(extent.number);
  }

  /** What became of a closed or a forgotten arena's extents. */
  private static void release(long number) {
    Extent extent = EXTENTS.get((int) number);
    if (extent == null) {
      throw new IllegalStateException("extent " + number + " of an arena was given back before");
    }
    extent.cache.release(extent);
  }

  @Override
  public void accept(MemorySegment segment) {}

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
