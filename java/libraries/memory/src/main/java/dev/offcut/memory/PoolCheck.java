package dev.offcut.memory;

import java.util.List;

/** What must hold of a pool at rest: {@link MemoryPool#verify}. The work of one thread. */
final class PoolCheck {
  private final String pool;
  private final ChunkAllocator allocator;
  private final List<Owner> owners;

  PoolCheck(String pool, ChunkAllocator allocator, List<Owner> owners) {
    this.pool = pool;
    this.allocator = allocator;
    this.owners = owners;
  }

  /** Throws at the first thing that does not hold. */
  void check() {
    for (Region region : allocator.regions.all()) {
      region.locked(region::verify);
    }
    for (Owner owner : owners) {
      owner.heaps().verify();
    }
    checkSums();
  }

  private void checkSums() {
    Owner root = owners.getFirst();
    PoolSnapshot all = root.pool().snapshot();
    long limited = all.committedBytes() + all.externalBytes();
    require(all.usedBytes() <= all.handedOutBytes(), "more is used than handed out");
    require(all.handedOutBytes() <= all.committedBytes(), "more is handed out than committed");
    require(limited <= all.limitBytes(), "more is committed and reserved than the limit allows");
    require(limited == allocator.commitment.bytes(), "committed bytes are counted wrong");
    long charged = 0;
    for (PoolSnapshot.OwnerShare share : all.owners()) {
      require(share.usedBytes() <= share.handedOutBytes(), share.owner() + " uses too much");
      require(share.handedOutBytes() <= share.committedBytes(), share.owner() + " has too much");
      charged += share.committedBytes() + share.externalBytes();
    }
    String sums = charged + " bytes held, " + root.chargedBytes() + " charged";
    require(charged == root.chargedBytes(), sums);
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("pool " + pool + ": " + what);
    }
  }
}
