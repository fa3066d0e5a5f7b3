package dev.offcut.handle;

import dev.offcut.handle.HandleSnapshot.OfType;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots, from the nurseries' cursors, the registries' cells and the counters, and records
 * them as periodic events. Without the module {@code jdk.jfr} there are no events.
 */
final class Statistics {
  private static final String TYPE_ROW =
      "offcut.HandleStatistics\ntype text\nopened long\nclosed long\nforgotten long\nopen long";
  private static final String LEAK_ROW =
      "offcut.HandleLeak\ntype text\ncount long\nsite text\nlevel text";

  private Statistics() {}

  /**
   * The registration of the periodic events, which the reaper tries at each look. A class of its
   * own: a program without a recorder needs nothing else of {@code Statistics}.
   */
  static final class Recorded {
    /** No lock: who registers waits for the recorder's, whose holder may be here. */
    private static final AtomicBoolean REGISTERED = new AtomicBoolean();

    private Recorded() {}

    /**
     * Registers the periodic events once a recorder is there; the reaper calls it at each look.
     * Before, it would load the recorder into every program: a tenth of a second.
     */
    static void registerOnce() {
      if (!REGISTERED.get() && Events.isRecorderThere() && REGISTERED.compareAndSet(false, true)) {
        Periodic.register();
      }
    }

    /** Takes the periodic events out, with the last counts for a recording that is on. */
    static void unregister() {
      if (REGISTERED.compareAndSet(true, false)) {
        Periodic.unregister();
      }
    }

    /**
     * The same for a new type, on whatever thread makes it: a program may end before the reaper has
     * looked. A failure is not the program's.
     */
    @SuppressWarnings({"removal", "EmptyCatch"})
    static void registerFirst() {
      if (REGISTERED.get() || !Events.isRecorderThere()) {
        return;
      }
      PrivilegedAction<@Nullable Void> registration =
          () -> {
            registerOnce();
            return null;
          };
      try {
        AccessController.doPrivileged(registration);
      } catch (Throwable t) {
        // a full heap, or a recorder that takes no events
      }
    }
  }

  /**
   * What is counted of one type where no pass of the reaper can promote. The forgotten are read
   * before the open ones, so that none is counted as both.
   */
  private static final class Counted {
    final long forgotten;
    long claims;
    long young;
    long tenured;
    long grouped;
    long since = Long.MAX_VALUE;

    Counted(HandleType type) {
      forgotten = type.counters.forgotten.get();
    }

    void add(Nursery nursery) {
      int open = nursery.open();
      claims += nursery.claims();
      young += open;
      if (open > 0) {
        since = Math.min(since, nursery.since);
        grouped += nursery.isTableGone() && open > 1 ? open : 0;
      }
    }

    void addTenured(Nurseries nurseries) {
      tenured = nurseries.registry.open(); // before the claims, of which each open one is
      claims += nurseries.type.counters.claimedByDropped.get();
      claims += nurseries.registry.filledByThread();
    }
  }

  /** Where open handles were opened, as far as that was recorded, by the number of their type. */
  static Map<Long, Map<Site, Long>> openSites() {
    Map<Long, Map<Site, Long>> sites = new HashMap<>();
    NurseryList.visit(
        nursery -> nursery.visitOpenSites(site -> count(site, nursery.type, sites)),
        () -> {
          for (Nurseries nurseries : NurseryList.types()) {
            nurseries.registry.sweep(
                cell -> {
                  count(cell.site(), nurseries.type, sites);
                  return true;
                });
          }
        });
    return sites;
  }

  private static void count(
      @Nullable Site site, HandleType type, Map<Long, Map<Site, Long>> sites) {
    if (site != null) {
      sites.computeIfAbsent(type.id, unseen -> new HashMap<>()).merge(site, 1L, Long::sum);
    }
  }

  static HandleSnapshot take() {
    Map<Nurseries, Counted> counted = new HashMap<>();
    List<Nurseries> types = NurseryList.types();
    types.forEach(nurseries -> counted.put(nurseries, new Counted(nurseries.type)));
    NurseryList.visit(
        nursery ->
            counted
                .computeIfAbsent(nursery.nurseries, unseen -> new Counted(unseen.type))
                .add(nursery),
        () -> counted.forEach((nurseries, of) -> of.addTenured(nurseries)));
    long now = System.nanoTime();
    List<OfType> of = new ArrayList<>();
    for (Nurseries nurseries : types) {
      of.add(of(nurseries, Objects.requireNonNull(counted.get(nurseries)), now));
    }
    of.removeIf(t -> t.opened() == 0);
    of.sort(Comparator.comparing(OfType::name));
    return new HandleSnapshot(Detection.current(), of);
  }

  /**
   * The rows that an agent in this JVM publishes, as {@code spec/tables.md} has them: schema, key
   * and values of each. The agent calls this by reflection, from another class loader, so the types
   * are the JDK's. A key stays, and no row goes; types of one name are one row.
   */
  static Object[][] published() {
    HandleSnapshot snapshot = take();
    Map<String, long[]> counts = new TreeMap<>();
    Map<String, Object[]> leaks = new TreeMap<>();
    for (OfType type : snapshot.types()) {
      long[] sum = counts.get(type.name());
      if (sum == null) {
        sum = new long[4];
        counts.put(type.name(), sum);
      }
      sum[0] += type.opened();
      sum[1] += type.closed();
      sum[2] += type.forgotten();
      sum[3] += type.open();
      long rest = type.forgotten();
      for (Map.Entry<List<StackTraceElement>, Long> site : type.sites().entrySet()) {
        rest -= site.getValue();
        addLeak(leaks, type.name(), Site.text(site.getKey()), site.getValue(), snapshot.level());
      }
      addLeak(leaks, type.name(), "", Math.max(0, rest), snapshot.level());
    }
    List<Object[]> rows = new ArrayList<>();
    for (Map.Entry<String, long[]> type : counts.entrySet()) {
      long[] sum = type.getValue();
      rows.add(
          new Object[] {TYPE_ROW, type.getKey(), type.getKey(), sum[0], sum[1], sum[2], sum[3]});
    }
    rows.addAll(leaks.values());
    return rows.toArray(new Object[0][]);
  }

  /** Where some were forgotten; what was not recorded has no place. */
  private static void addLeak(
      Map<String, Object[]> leaks, String type, String site, long count, Detection level) {
    if (level != Detection.OFF && count > 0) {
      String key = type + "\n" + site;
      Object[] known = leaks.get(key);
      long all = known == null ? count : count + (Long) known[3];
      leaks.put(key, new Object[] {LEAK_ROW, key, type, all, site, level.label()});
    }
  }

  private static OfType of(Nurseries nurseries, Counted counted, long now) {
    HandleType type = nurseries.type;
    Registry registry = nurseries.registry;
    HandleType.Counters counters = type.counters;
    long forgotten = counted.forgotten;
    long open = counted.young + counted.tenured;
    long opened = counted.claims - counters.abandoned.get();
    Map<List<StackTraceElement>, Long> sites = new HashMap<>();
    counters.sites.forEach((site, count) -> sites.merge(site.frames, count.get(), Long::sum));
    return new OfType(
        type.id,
        type.name,
        opened,
        Math.max(0, opened - open - forgotten),
        forgotten,
        open,
        counters.promoted.get(),
        counted.grouped,
        age(Math.min(counted.since, registry.oldestSince()), now),
        counters.failures.get(),
        sites);
  }

  private static Duration age(long since, long now) {
    return since == Long.MAX_VALUE ? Duration.ZERO : Duration.ofNanos(Math.max(0, now - since));
  }

  /** The recorder knows a periodic event by its hook. */
  private static final class Periodic {
    private static final Runnable CONFIGURATION = Periodic::emitConfiguration;
    private static final Runnable STATISTICS = Periodic::emit;

    private Periodic() {}

    static void register() {
      FlightRecorder.addPeriodicEvent(HandleConfiguration.class, CONFIGURATION);
      FlightRecorder.addPeriodicEvent(HandleStatistics.class, STATISTICS);
    }

    static void unregister() {
      emit();
      FlightRecorder.removePeriodicEvent(CONFIGURATION);
      FlightRecorder.removePeriodicEvent(STATISTICS);
    }

    /** At the end of a chunk, too, where the last numbers are those that count. */
    private static void emitConfiguration() {
      HandleConfiguration event = new HandleConfiguration();
      event.level = Detection.current().label();
      event.commit();
      emit();
    }

    private static void emit() {
      for (HandleSnapshot.OfType type : take().types()) {
        HandleStatistics event = new HandleStatistics();
        event.type = type.name();
        event.opened = type.opened();
        event.closed = type.closed();
        event.forgotten = type.forgotten();
        event.open = type.open();
        event.promoted = type.promoted();
        event.pinned = type.pinned();
        event.failures = type.failures();
        event.oldest = nanos(type.oldest());
        event.commit();
      }
    }

    private static long nanos(Duration age) {
      return age.toNanos();
    }
  }

  @Name("offcut.HandleConfiguration")
  @Label("Handle Configuration")
  @Category({"Offcut", "Handles"})
  @Description("The settings of the library. Statistics follow each of these events")
  @Period("everyChunk")
  @StackTrace(false)
  static final class HandleConfiguration extends Event {
    @Label("Detection Level")
    @Nullable String level;
  }

  @Name("offcut.HandleStatistics")
  @Label("Handle Statistics")
  @Category({"Offcut", "Handles"})
  @Period("10 s")
  @StackTrace(false)
  static final class HandleStatistics extends Event {
    @Label("Type")
    @Nullable String type;

    @Label("Opened")
    long opened;

    @Label("Closed")
    long closed;

    @Label("Forgotten")
    long forgotten;

    @Label("Open")
    long open;

    @Label("Promoted")
    long promoted;

    @Label("Pinned")
    long pinned;

    @Label("Failures")
    long failures;

    @Label("Oldest")
    @Timespan(Timespan.NANOSECONDS)
    long oldest;
  }
}
