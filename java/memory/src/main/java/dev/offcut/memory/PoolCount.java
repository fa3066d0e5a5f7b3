package dev.offcut.memory;

import java.util.LinkedHashMap;
import java.util.Map;

/** A pool added up, region by region; the work of one thread. */
final class PoolCount {
  /** Of one owner alone, without its children. */
  static final class Share {
    long usedBytes;
    long handedOutBytes;
    long committedBytes;
  }

  final long[] freeChunks;
  final Map<Owner, Share> owners = new LinkedHashMap<>();
  long reservedBytes;
  long metadataBytes;
  long committedBytes;
  long keptBytes;

  PoolCount(int levels) {
    freeChunks = new long[levels];
  }

  /** What closed arenas have left is handed out, and not used. */
  void addKept(Owner owner, long bytes, long countedBytes) {
    keptBytes += bytes;
    owners.computeIfAbsent(owner, any -> new Share()).usedBytes -= countedBytes;
  }

  void add(Holding holding, int granuleBytes) {
    Share share = owners.computeIfAbsent(holding.owner, owner -> new Share());
    share.usedBytes += holding.usedBytes;
    share.handedOutBytes += holding.handedOutBytes;
    share.committedBytes += holding.granules * granuleBytes;
  }
}
