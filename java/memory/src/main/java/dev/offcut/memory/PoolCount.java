package dev.offcut.memory;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A pool added up, region by region; the work of one thread. */
final class PoolCount implements ReturnedChunks.Visitor, Region.FreeChunk {
  /** Of one owner alone, without its children. */
  static final class Share {
    long usedBytes;
    long handedOutBytes;
    long committedBytes;
  }

  final long[] freeChunks;
  final Map<Owner, Share> owners = new LinkedHashMap<>();
  private final Geometry geometry;
  long reservedBytes;
  long metadataBytes;
  long committedBytes;
  long keptBytes;

  PoolCount(Geometry geometry) {
    this.geometry = geometry;
    freeChunks = new long[geometry.leafLevel() + 1];
  }

  /** What an owner has, as far as it was counted. */
  Share share(Owner owner) {
    @Nullable Share share = owners.get(owner);
    if (share == null) {
      share = new Share();
      owners.put(owner, share);
    }
    return share;
  }

  /** What closed arenas have left is handed out, and not used. */
  void addKept(Owner owner, long bytes, long countedBytes) {
    keptBytes += bytes;
    share(owner).usedBytes -= countedBytes;
  }

  @Override
  public void kept(Owner owner, long address, long bytes) {
    addKept(owner, bytes, 0);
  }

  @Override
  public void at(long offset, long bytes) {
    freeChunks[geometry.level(bytes)]++;
  }

  void add(Holding holding, int granuleBytes) {
    Share share = share(holding.owner);
    share.usedBytes += holding.usedBytes;
    share.handedOutBytes += holding.handedOutBytes;
    share.committedBytes += holding.granules * granuleBytes;
  }
}
