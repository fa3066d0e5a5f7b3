package dev.offcut.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The Flight Recorder events of pools, named in {@code spec/names.json}. Without the module {@code
 * jdk.jfr} there are none. Forgotten arenas and heaps are events of the handles that they are.
 */
final class Events {
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private static final Set<MemoryPool> POOLS =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Written by makers of pools and by the decay's thread. */
  private static final AtomicBoolean REGISTERED = new AtomicBoolean();

  private static final String POOL_ROW =
      "offcut.PoolStatistics\npool text\nlimit long\nreserved long\ncommitted long\n"
          + "handedOut long\nused long\nkept long\nlargestFree long\nexternal long";
  private static final String OWNER_ROW =
      "offcut.OwnerStatistics\npool text\nowner text\nlimit long\ncommitted long\n"
          + "handedOut long\nused long\nexternal long";
  private static final String MAP_ROW = "offcut.PoolMap\npool text\ncell long\nrows text";

  private Events() {}

  /**
   * Whether the JVM has a recorder. Without one nobody hears an event, and to create the first one
   * would load the recorder: a tenth of a second.
   */
  private static boolean isRecorderThere() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  /**
   * Registers the periodic events once a recorder is there; called again and again until it did.
   */
  static boolean registerOnce() {
    if (!REGISTERED.get() && isRecorderThere() && REGISTERED.compareAndSet(false, true)) {
      Periodic.register();
    }
    return REGISTERED.get();
  }

  /** Takes the periodic events out, when there is no pool left. */
  static void unregister() {
    if (REGISTERED.compareAndSet(true, false)) {
      Periodic.unregister();
    }
  }

  static void opened(MemoryPool pool) {
    POOLS.add(pool);
  }

  static void closed(MemoryPool pool) {
    POOLS.remove(pool);
  }

  /**
   * The rows that an agent in this JVM publishes, as {@code spec/tables.md} has them: schema, key
   * and values of each. The agent calls this by reflection, from another class loader, so the types
   * are the JDK's. What is gone has no row.
   *
   * @param maps whether rows of where the chunks lie are among them, which take longer to make
   */
  static Object[][] published(boolean maps) {
    List<Object[]> rows = new ArrayList<>();
    for (MemoryPool pool : pools()) {
      PoolSnapshot now = pool.snapshot();
      String name = now.pool();
      rows.add(
          new Object[] {
            POOL_ROW,
            name,
            name,
            now.limitBytes(),
            now.reservedBytes(),
            now.committedBytes(),
            now.handedOutBytes(),
            now.usedBytes(),
            now.keptBytes(),
            now.largestFreeBytes(),
            now.externalBytes()
          });
      for (PoolSnapshot.OwnerShare share : now.owners()) {
        rows.add(
            new Object[] {
              OWNER_ROW,
              name + "\n" + share.owner(),
              name,
              share.owner(),
              share.limitBytes(),
              share.committedBytes(),
              share.handedOutBytes(),
              share.usedBytes(),
              share.externalBytes()
            });
      }
      if (maps) {
        ChunkMap cells = ChunkMap.of(pool.allocator());
        rows.add(new Object[] {MAP_ROW, name, name, cells.cellBytes, cells.rows});
      }
    }
    return rows.toArray(new Object[0][]);
  }

  /** Those that are open. */
  static List<MemoryPool> pools() {
    synchronized (POOLS) {
      return new ArrayList<>(POOLS);
    }
  }

  static void refused(MemoryPool pool, Account account, MemoryLimitException refusal) {
    if (isRecorderThere()) {
      MemoryLimit event = new MemoryLimit();
      if (event.shouldCommit()) {
        event.pool = pool.toString();
        event.owner = account.path();
        event.limitedBy = refusal.limitedBy();
        event.requested = refusal.requestedBytes();
        event.limit = refusal.limitBytes();
        event.commit();
      }
    }
  }

  /** The periodic events, which are registered once, however many pools there are. */
  private static final class Periodic {
    private static final Map<Class<? extends Event>, Runnable> HOOKS =
        Map.of(
            PoolConfiguration.class, Periodic::emitConfiguration,
            PoolStatistics.class, Periodic::emitPools,
            OwnerStatistics.class, Periodic::emitOwners,
            PoolMap.class, Periodic::emitMaps);

    private Periodic() {}

    static void register() {
      HOOKS.forEach(FlightRecorder::addPeriodicEvent);
    }

    static void unregister() {
      HOOKS.values().forEach(FlightRecorder::removePeriodicEvent);
    }

    /** At the end of a chunk, too, where the last numbers are those that count. */
    private static void emitConfiguration() {
      for (MemoryPool pool : pools()) {
        PoolConfiguration event = new PoolConfiguration();
        event.pool = pool.toString();
        event.granule = pool.allocator().geometry.granuleBytes();
        event.commit();
      }
      emitPools();
      emitOwners();
      emitMaps();
    }

    private static void emitMaps() {
      for (MemoryPool pool : pools()) {
        PoolMap event = new PoolMap();
        if (event.isEnabled()) {
          ChunkMap cells = ChunkMap.of(pool.allocator());
          event.pool = pool.toString();
          event.cell = cells.cellBytes;
          event.rows = cells.rows;
          event.commit();
        }
      }
    }

    private static void emitPools() {
      for (MemoryPool each : pools()) {
        PoolSnapshot pool = each.snapshot();
        PoolStatistics event = new PoolStatistics();
        event.pool = pool.pool();
        event.limit = pool.limitBytes();
        event.reserved = pool.reservedBytes();
        event.committed = pool.committedBytes();
        event.handedOut = pool.handedOutBytes();
        event.used = pool.usedBytes();
        event.kept = pool.keptBytes();
        event.largestFree = pool.largestFreeBytes();
        event.external = pool.externalBytes();
        event.commit();
      }
    }

    private static void emitOwners() {
      for (MemoryPool pool : pools()) {
        for (PoolSnapshot.OwnerShare share : pool.snapshot().owners()) {
          OwnerStatistics event = new OwnerStatistics();
          event.pool = pool.name();
          event.owner = share.owner();
          event.limit = share.limitBytes();
          event.committed = share.committedBytes();
          event.handedOut = share.handedOutBytes();
          event.used = share.usedBytes();
          event.pinned = share.pinnedBytes();
          event.external = share.externalBytes();
          event.commit();
        }
      }
    }
  }

  @Name("offcut.MemoryLimit")
  @Label("Memory Limit")
  @Category({"Offcut", "Memory"})
  @Description("The pool refused a request because it would have exceeded a limit")
  static final class MemoryLimit extends Event {
    @Label("Pool")
    @Nullable String pool;

    @Label("Owner")
    @Nullable String owner;

    @Label("Limited By")
    @Nullable String limitedBy;

    @Label("Requested")
    @DataAmount
    long requested;

    @Label("Limit")
    @DataAmount
    long limit;
  }

  @Name("offcut.PoolConfiguration")
  @Label("Pool Configuration")
  @Category({"Offcut", "Memory"})
  @Description("The granule of a pool. Statistics follow each of these events")
  @Period("everyChunk")
  @StackTrace(false)
  static final class PoolConfiguration extends Event {
    @Label("Pool")
    @Nullable String pool;

    @Label("Granule")
    @Description("The unit in which the pool commits memory")
    @DataAmount
    long granule;
  }

  @Name("offcut.PoolStatistics")
  @Label("Pool Statistics")
  @Category({"Offcut", "Memory"})
  @Period("10 s")
  @StackTrace(false)
  static final class PoolStatistics extends Event {
    @Label("Pool")
    @Nullable String pool;

    @Label("Limit")
    @DataAmount
    long limit;

    @Label("Reserved")
    @DataAmount
    long reserved;

    @Label("Committed")
    @DataAmount
    long committed;

    @Label("Handed Out")
    @DataAmount
    long handedOut;

    @Label("Used")
    @DataAmount
    long used;

    @Label("Kept")
    @DataAmount
    long kept;

    @Label("Largest Free Chunk")
    @DataAmount
    long largestFree;

    @Label("External")
    @Description("Reservations: memory from outside the pool that is charged to an owner")
    @DataAmount
    long external;
  }

  @Name("offcut.PoolMap")
  @Label("Pool Map")
  @Category({"Offcut", "Memory"})
  @Description(
      "Where a pool's chunks lie, a character a cell: # handed out, + partly, . free, _ reserved")
  @Period("10 s")
  @StackTrace(false)
  static final class PoolMap extends Event {
    @Label("Pool")
    @Nullable String pool;

    @Label("Cell")
    @DataAmount
    long cell;

    @Label("Rows")
    @Nullable String rows;
  }

  @Name("offcut.OwnerStatistics")
  @Label("Owner Statistics")
  @Category({"Offcut", "Memory"})
  @Period("10 s")
  @StackTrace(false)
  static final class OwnerStatistics extends Event {
    @Label("Pool")
    @Nullable String pool;

    @Label("Owner")
    @Nullable String owner;

    @Label("Limit")
    @DataAmount
    long limit;

    @Label("Committed")
    @DataAmount
    long committed;

    @Label("Handed Out")
    @DataAmount
    long handedOut;

    @Label("Used")
    @DataAmount
    long used;

    @Label("Pinned")
    @DataAmount
    long pinned;

    @Label("External")
    @Description("Reservations: memory from outside the pool that is charged to an owner")
    @DataAmount
    long external;
  }
}
