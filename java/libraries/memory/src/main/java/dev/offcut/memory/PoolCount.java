package dev.offcut.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A pool added up, account by account and region by region; the work of one thread. */
final class PoolCount {
  /** What one account has, without its children. */
  private static final class Share {
    long usedBytes;
    long handedOutBytes;
    long committedBytes;
  }

  private final Geometry geometry;
  private final long[] freeChunks;
  private final Map<Account, Share> shares = new LinkedHashMap<>();
  private long reservedBytes;
  private long committedBytes;
  private long keptBytes;

  PoolCount(Geometry geometry) {
    this.geometry = geometry;
    freeChunks = new long[geometry.leafLevel() + 1];
  }

  /** Adds bytes that an account uses; without any, it is in the snapshot all the same. */
  void addUsed(Account account, long bytes) {
    share(account).usedBytes += bytes;
  }

  /** Adds memory that is kept for the next request: handed out, and not used. */
  void addKept(Account account, long bytes, long countedBytes) {
    keptBytes += bytes;
    share(account).usedBytes -= countedBytes;
  }

  void addRegion(long reserved, long committed) {
    reservedBytes += reserved;
    committedBytes += committed;
  }

  void addHolding(Holding holding, int granuleBytes) {
    Share share = share(holding.account);
    share.usedBytes += holding.usedBytes;
    share.handedOutBytes += holding.handedOutBytes;
    share.committedBytes += holding.granules * granuleBytes;
  }

  void addFree(long bytes) {
    freeChunks[geometry.level(bytes)]++;
  }

  private Share share(Account account) {
    @Nullable Share share = shares.get(account);
    if (share == null) {
      share = new Share();
      shares.put(account, share);
    }
    return share;
  }

  /** The sums, of a pool with a limit. */
  PoolSnapshot snapshot(String pool, long limitBytes) {
    List<PoolSnapshot.FreeChunks> free = new ArrayList<>();
    for (int level = 0; level < freeChunks.length; level++) {
      free.add(new PoolSnapshot.FreeChunks(geometry.bytes(level), freeChunks[level]));
    }
    List<PoolSnapshot.OwnerShare> owners = new ArrayList<>();
    long handedOut = 0;
    long used = 0;
    long external = 0;
    for (Map.Entry<Account, Share> entry : shares.entrySet()) {
      Account account = entry.getKey();
      Share share = entry.getValue();
      long ofOthers = account.externalBytes();
      handedOut += share.handedOutBytes;
      used += share.usedBytes;
      external += ofOthers;
      owners.add(
          new PoolSnapshot.OwnerShare(
              account.path(),
              account.hardLimitBytes(),
              share.committedBytes,
              share.handedOutBytes,
              share.usedBytes,
              ofOthers));
    }
    return new PoolSnapshot(
        pool,
        limitBytes,
        reservedBytes,
        committedBytes,
        handedOut,
        used,
        keptBytes,
        external,
        free,
        owners);
  }
}
