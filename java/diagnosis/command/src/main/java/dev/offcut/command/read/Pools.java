package dev.offcut.command.read;

import static dev.offcut.command.read.Figures.bytes;

import dev.offcut.command.read.Recorded.Latest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The pools in the program that are open, and whom their bytes are charged to. */
public final class Pools {
  /** Of one copy of the library, since each has events of its own. */
  private record PoolName(long eventType, String pool) {}

  private record OwnerName(long eventType, String pool, String owner) {}

  private record Charged(String pool, Digest.Owner owner) {}

  private final Latest<PoolName, Digest.Pool> pools = new Latest<>();
  private final Latest<OwnerName, Charged> owners = new Latest<>();
  private final Latest<PoolName, Digest.ChunkMap> maps = new Latest<>();
  private final List<Lost> lost = new ArrayList<>();
  private final Latest<String, Digest.BufferPool> bufferPools = new Latest<>();

  void pool(Fields event) {
    String pool = event.text("pool");
    pools.put(
        new PoolName(event.copy(), pool),
        event.time(),
        new Digest.Pool(
            pool,
            event.number("limit"),
            event.number("reserved"),
            event.number("committed"),
            event.number("handedOut"),
            event.number("used"),
            event.number("forgottenArenas"),
            List.of()));
  }

  /**
   * A pool of a Go program that became unreachable before it was closed.
   *
   * @param committed when it was last looked at
   */
  public record Lost(String pool, long committed) {}

  void lost(Fields row) {
    lost.add(new Lost(row.text("pool"), row.number("committed")));
  }

  List<Lost> lost() {
    return lost;
  }

  void owner(Fields event) {
    String pool = event.text("pool");
    String owner = event.text("owner");
    owners.put(
        new OwnerName(event.copy(), pool, owner),
        event.time(),
        new Charged(
            pool,
            new Digest.Owner(
                owner,
                event.number("committed"),
                event.number("handedOut"),
                event.number("used"))));
  }

  void bufferPool(Fields row) {
    String type = row.text("pool");
    bufferPools.put(
        type,
        row.time(),
        new Digest.BufferPool(
            type,
            row.number("allocators"),
            row.number("chunks", -1),
            row.number("kept"),
            row.number("used", -1)));
  }

  /** Those that have chunks, the largest first. */
  List<Digest.BufferPool> bufferPools() {
    return bufferPools.all().stream()
        .filter(pool -> pool.kept() > 0)
        .sorted(Comparator.comparingLong(Digest.BufferPool::kept).reversed())
        .toList();
  }

  /** A sentence about each, to stand below resident memory. */
  static List<String> remarks(List<Digest.BufferPool> pools) {
    return pools.stream()
        .map(
            pool ->
                pool.name()
                    + " keeps "
                    + Kinds.inChunks(pool.kept(), pool.chunks())
                    + (pool.used() < 0
                        ? "."
                        : ", of which " + bytes(pool.used()) + " are in buffers in use."))
        .toList();
  }

  void map(Fields event) {
    String pool = event.text("pool");
    maps.put(
        new PoolName(event.copy(), pool),
        event.time(),
        new Digest.ChunkMap(pool, event.number("cell"), event.lines("rows")));
  }

  /** Of the pools that are open, in their order, as far as they were told. */
  List<Digest.ChunkMap> maps() {
    List<Digest.ChunkMap> all = new ArrayList<>();
    List<String> names = pools().stream().map(Digest.Pool::pool).distinct().toList();
    for (String name : names) {
      maps.all().stream().filter(map -> map.pool().equals(name)).forEach(all::add);
    }
    return all;
  }

  List<Digest.Pool> pools() {
    List<Charged> charged = owners.inLastRound();
    List<Digest.Pool> all = new ArrayList<>();
    for (Digest.Pool pool : pools.inLastRound()) {
      List<Digest.Owner> its =
          charged.stream()
              .filter(one -> one.pool().equals(pool.pool()))
              .map(Charged::owner)
              .sorted(Comparator.comparingLong(Digest.Owner::committed).reversed())
              .toList();
      all.add(
          new Digest.Pool(
              pool.pool(),
              pool.limit(),
              pool.reserved(),
              pool.committed(),
              pool.handedOut(),
              pool.used(),
              pool.forgottenArenas(),
              its));
    }
    all.sort(Comparator.comparingLong(Digest.Pool::committed).reversed());
    return all;
  }
}
