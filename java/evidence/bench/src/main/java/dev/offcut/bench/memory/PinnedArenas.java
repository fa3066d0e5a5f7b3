package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.memory.Lifetime;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import dev.offcut.memory.PoolArena;
import dev.offcut.memory.PoolSnapshot;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code pinned} of a pool: of many arenas of one chunk, one here and there survives. All pages
 * that the pool has in memory count: after a trim; or, where those that survive belong to an owner
 * with another lifetime, without a trim, when the free memory has decayed. Also what the pool's
 * maps take.
 *
 * <p>Arguments: {@code trim} or {@code hints}, arenas, bytes of each, of how many one survives.
 */
final class PinnedArenas {
  private static final Duration DECAY = Duration.ofMillis(200);
  private static final int LOOKS = 3;

  private PinnedArenas() {}

  public static void main(String[] args) throws InterruptedException {
    boolean hints = args[0].equals("hints");
    int arenas = Integer.parseInt(args[1]);
    int bytes = Integer.parseInt(args[2]);
    int of = Integer.parseInt(args[3]);
    try (MemoryPool pool = MemoryPool.named("bench").decay(DECAY).create()) {
      Owner dead = owner(pool, "dead", Lifetime.SHORT, bytes);
      Owner survivors = hints ? owner(pool, "survivors", Lifetime.LONG, bytes) : dead;
      List<PoolArena> open = new ArrayList<>();
      for (int i = 0; i < arenas; i++) {
        open.add(opened(Pinned.isSurvivor(i, of) ? survivors : dead, bytes));
      }
      close(open, of, false);
      settle(pool, hints);
      Pinned.report(Pinned.survivors(arenas, of) * bytes, pool.residentBytes());
      PoolSnapshot snapshot = pool.snapshot();
      Child.figure(
          "metadata_percent", 100.0 * snapshot.metadataBytes() / snapshot.reservedBytes(), "%");
      close(open, of, true);
    }
  }

  private static Owner owner(MemoryPool pool, String name, Lifetime lifetime, int bytes) {
    return pool.owner().child(name).lifetime(lifetime).arenaGrowth(bytes, bytes).create();
  }

  private static PoolArena opened(Owner owner, int bytes) {
    PoolArena arena = owner.openArena();
    MemorySegment unused = arena.allocate(bytes).fill((byte) 0x5a);
    return arena;
  }

  private static void close(List<PoolArena> arenas, int of, boolean survivors) {
    for (int i = 0; i < arenas.size(); i++) {
      if (Pinned.isSurvivor(i, of) == survivors) {
        arenas.get(i).close();
      }
    }
  }

  /** By a trim, or by waiting until nothing more goes. */
  private static void settle(MemoryPool pool, boolean wait) throws InterruptedException {
    if (!wait) {
      pool.trim();
      return;
    }
    long before = 0;
    for (int same = 0; same < LOOKS; ) {
      TimeUnit.NANOSECONDS.sleep(2 * DECAY.toNanos());
      long now = pool.residentBytes();
      same = now == before ? same + 1 : 0;
      before = now;
    }
  }
}
