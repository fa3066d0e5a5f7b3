package dev.offcut.replay.space;

import dev.offcut.replay.space.ChunkArena.HandOut;
import dev.offcut.replay.space.Space.ArenaKind;
import dev.offcut.replay.space.Space.Usage;
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
  public Space.@Nullable Arena open(ArenaKind kind) {
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
  public Space.Layout map() {
    return new Space.Layout(chunks.nodes().stream().map(Node::map).toList());
  }

  @Override
  public void close() {} // a model: it has nothing of the system

  /** What was cut and is not free. */
  private long handedOut() {
    long cut = chunks.nodes().stream().mapToLong(Node::top).sum();
    return cut - chunks.free.words();
  }
}
