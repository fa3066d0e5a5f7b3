package dev.offcut.replay.space;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A space of the designs that hand out chunks of a few fixed sizes. */
final class ChunkSpace implements Space {
  final Chunks chunks;
  final HandOut handOut;
  private final Set<ChunkArena> arenas = new LinkedHashSet<>();

  ChunkSpace(Chunks chunks) {
    this.chunks = chunks;
    this.handOut = new HandOut(chunks.kind(), chunks.sizes);
  }

  @Override
  public @Nullable SpaceArena open(ArenaKind kind) {
    Chunk first = chunks.take(handOut.first(kind));
    if (first == null) {
      return null;
    }
    ChunkArena arena = new ChunkArena(this, kind, first);
    arenas.add(arena);
    return arena;
  }

  void closed(ChunkArena arena) {
    arenas.remove(arena);
  }

  @Override
  public void purge() {
    chunks.purge();
  }

  @Override
  public Usage usage() {
    return new Usage(
        chunks.capacity(),
        chunks.committed(),
        handedOut(),
        arenas.stream().mapToLong(ChunkArena::used).sum(),
        chunks.largestFree(),
        chunks.free.alignmentWords(),
        chunks.free.alignmentMaxWords());
  }

  @Override
  public SpaceMap map() {
    return new SpaceMap(chunks.nodes().stream().map(Node::map).toList());
  }

  @Override
  public void verify() {
    chunks.verify();
    long owned = 0;
    for (ChunkArena arena : arenas) {
      for (Chunk chunk : arena.chunks()) {
        Check.that(chunk.inUse, "%s is an arena's", chunk);
        owned += chunk.words;
      }
    }
    Check.that(owned == handedOut(), "arenas have %d words of %d", owned, handedOut());
    Usage usage = usage();
    Check.that(
        usage.used() <= usage.handedOut() && usage.handedOut() <= usage.committed(), "%s", usage);
    Check.that(usage.committed() <= usage.capacity(), "%s", usage);
  }

  @Override
  public void close() {} // a model: it has nothing of the system

  /** What was cut and is not free. */
  private long handedOut() {
    long cut = chunks.nodes().stream().mapToLong(Node::top).sum();
    return cut - chunks.free.words();
  }
}
