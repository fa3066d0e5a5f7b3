package dev.offcut.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * What is done for the whole of a pool: turns of the decay, trims, the end of owners, and sums over
 * all. Under the pool's monitor, but for {@link #reclaim}, {@link #trim} and {@link #snapshot},
 * which requests of the program wait for.
 */
final class Upkeep {
  private final MemoryPool pool;

  Upkeep(MemoryPool pool) {
    this.pool = pool;
  }

  private Region[] regions() {
    return pool.allocator().regions.all();
  }

  /** The owners of the pool, parents before their children. */
  private List<Owner> owners() {
    return ownersFrom(pool.owner());
  }

  private static List<Owner> ownersFrom(Owner top) {
    List<Owner> owners = new ArrayList<>();
    addAll(top, owners);
    return owners;
  }

  private static void addAll(Owner owner, List<Owner> owners) {
    owners.add(owner);
    for (Owner child : owner.children()) {
      addAll(child, owners);
    }
  }

  // Free memory.

  /** What owners keep for their next requests becomes free: all, or what they kept a turn ago. */
  void age(boolean atOnce) {
    age(owners(), atOnce);
  }

  private static void age(List<Owner> owners, boolean atOnce) {
    for (Owner owner : owners) {
      owner.age(atOnce);
    }
  }

  /** Everything that is free goes back to the system, at once. */
  void reclaim() {
    age(true);
    for (Region region : regions()) {
      region.locked(region::age);
      discardAged(region);
    }
  }

  /**
   * What was free for a whole turn goes back to the system; what is free now, at the next turn. Not
   * during a check or a close, to which a chunk on its way would look lost.
   */
  void decay() {
    synchronized (pool) {
      age(false);
      for (Region region : regions()) {
        discardAged(region);
        region.locked(region::age);
      }
    }
  }

  /** Gives back to the system what nobody uses, pages within used granules included. */
  void trim() {
    reclaim();
    for (Owner owner : owners()) {
      owner.heaps().discardFreePages();
    }
    for (Region region : regions()) {
      for (int next = 0; next >= 0; ) {
        region.lock.lock();
        try {
          next = region.pages.trim(next);
        } finally {
          region.lock.unlock();
        }
      }
    }
  }

  /** A little at a time, so that others get the lock in between. */
  private static void discardAged(Region region) {
    boolean isMore = true;
    while (isMore) {
      region.lock.lock();
      try {
        isMore = region.pages.discardAged();
      } finally {
        region.lock.unlock();
      }
    }
  }

  // Sums.

  PoolSnapshot snapshot() {
    ChunkAllocator allocator = pool.allocator();
    PoolCount count = new PoolCount(allocator.geometry);
    for (Owner owner : owners()) {
      owner.heaps().countInto(count);
    }
    for (Region region : regions()) {
      region.locked(() -> region.countInto(count));
    }
    for (Owner owner : owners()) {
      owner.extents().countInto(count);
    }
    return count.snapshot(pool.name(), allocator.commitment.limitBytes());
  }

  /** Throws at the first sum that does not hold: {@link MemoryPool#verify}. */
  void verify() {
    PoolSnapshot all = snapshot();
    long limited = all.committedBytes() + all.externalBytes();
    require(all.usedBytes() <= all.handedOutBytes(), "more is used than handed out");
    require(all.handedOutBytes() <= all.committedBytes(), "more is handed out than committed");
    require(limited <= all.limitBytes(), "more is committed and reserved than the limit allows");
    require(limited == pool.allocator().commitment.bytes(), "committed bytes are counted wrong");
    long held = 0;
    for (PoolSnapshot.OwnerShare share : all.owners()) {
      require(share.usedBytes() <= share.handedOutBytes(), share.owner() + " uses too much");
      require(share.handedOutBytes() <= share.committedBytes(), share.owner() + " has too much");
      held += share.committedBytes() + share.externalBytes();
    }
    long charged = pool.owner().chargedBytes();
    require(held == charged, held + " bytes held, " + charged + " charged");
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("pool " + pool + ": " + what);
    }
  }

  void refused(Account account, MemoryLimitException refusal) {
    Events.refused(pool, account, refusal);
  }

  // The end of owners.

  /** Ends an owner and those below it, or none of them. */
  void endOwner(Owner owner) {
    synchronized (pool) {
      if (owner.isClosed()) {
        return;
      }
      for (Owner each : end(owner, "owner " + owner + " of pool " + pool)) {
        each.noteEnd();
      }
      owner.leaveParent();
    }
  }

  /** Ends all owners, or none of them: nothing is taken from the pool any more. */
  void endPool() {
    end(pool.owner(), "pool " + pool);
  }

  /**
   * Closes an owner and those below it, or throws and leaves them open. They are closed first and
   * looked at afterwards: what is taken for them is either seen here, or refused by {@link
   * Account#checkOpen} under the same lock. Who asks meanwhile is refused also where the owners
   * stay, so none is closed if something is in use before.
   */
  private List<Owner> end(Owner owner, String name) {
    age(ownersFrom(owner), true);
    List<Owner> ending = new ArrayList<>();
    boolean ended = false;
    if (owner.chargedBytes() == 0) {
      try {
        closeAll(owner, owner, ending);
        age(ending, true); // what came back since
        ended =
            owner.chargedBytes() == 0 && (owner.isRoot() || !hasHeaps(ending)) && forgetAll(ending);
      } finally {
        for (int i = 0; !ended && i < ending.size(); i++) {
          ending.get(i).setClosedBy(null);
        }
      }
    }
    if (!ended) {
      throw new MemoryInUseException(
          name
              + " still has memory, heaps or reservations in use; close arenas, heaps and"
              + " reservations, and free chunks first\n"
              + snapshot());
    }
    return ending;
  }

  /** Each is in the list before it is closed, and closed before those below are looked for. */
  private static void closeAll(Owner owner, Owner by, List<Owner> ending) {
    ending.add(owner);
    owner.setClosedBy(by);
    for (Owner child : owner.children()) {
      closeAll(child, by, ending);
    }
  }

  private static boolean hasHeaps(List<Owner> owners) {
    for (Owner owner : owners) {
      if (!owner.heaps().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** The regions forget owners; false if one holds something by now. */
  private boolean forgetAll(List<Owner> owners) {
    for (Region region : regions()) {
      region.lock.lock();
      try {
        for (Owner owner : owners) {
          if (!region.holdings.forgetAccount(owner)) {
            return false;
          }
        }
      } finally {
        region.lock.unlock();
      }
    }
    return true;
  }
}
