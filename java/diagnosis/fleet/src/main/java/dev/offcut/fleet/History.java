package dev.offcut.fleet;

import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.Fields;
import dev.offcut.command.read.Kinds;
import dev.offcut.resident.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a process over time, in windows of {@link #WINDOW_MS}. It is told what the source
 * says, in any order, and keeps for each name and window what was known last in it. One thread.
 *
 * <p>The agent's counters say what was counted since the process began, and never fall. So each of
 * them is taken as the largest value until then: whatever the order, and whatever the clock did,
 * the differences add up to the largest value that was told.
 */
final class History implements DigestBuilder.Listener {
  /** Length of a window; windows begin at its multiples. */
  static final long WINDOW_MS = 10_000;

  /** Before that, no clock of a JVM was right: 2000-01-01. */
  static final long EARLIEST_MS = 946_684_800_000L;

  static final String KIND = "kind";
  static final String NATIVE = "native";
  static final String TYPE = "type";
  static final String PART = "part";
  static final String PROCESS = "process";

  private static final int OPENED = 0;
  private static final int CLOSED = 1;
  private static final int COLLECTED = 2;
  private static final int LOST = 3;
  private static final int FORGOTTEN = 4;
  private static final int OPENED_BYTES = 5;
  private static final int LOST_BYTES = 6;
  private static final int COUNTERS = 7;

  private static final String OPEN_COLUMN = ".open";
  private static final String BYTES_COLUMN = ".bytes";

  /** Whose figures they are. {@code copy}: of several copies of a library in one process. */
  private record Key(String what, String name, long copy) {}

  /** Counters as they stood when they were told last in a window, and the peak until then. */
  private static final class Counted {
    private final long[] counters = new long[COUNTERS];
    private long peak = -1;
  }

  /** What was held at the end of a window; -1: not known. */
  private static final class Held {
    private long atMs = Long.MIN_VALUE;
    private long open = -1;
    private long bytes = -1;
    private long peak = -1;

    void take(long ms, long someOpen, long someBytes) {
      if (ms >= atMs) {
        atMs = ms;
        open = someOpen < 0 ? open : someOpen;
        bytes = someBytes < 0 ? bytes : someBytes;
      }
      peak = Math.max(peak, someBytes);
    }
  }

  private final Map<Key, TreeMap<Long, Counted>> counted = new HashMap<>();
  private final Map<Key, TreeMap<Long, Held>> held = new HashMap<>();

  /** The windows in which counters of a sort were told: what is not told then was not changed. */
  private final Map<String, TreeSet<Long>> rounds = new HashMap<>();

  private long startMs = -1;
  private long firstMs = Long.MAX_VALUE;
  private long lastMs = Long.MIN_VALUE;

  /** When the process began, as far as is known, in ms since 1970. */
  long startMs() {
    return startMs >= EARLIEST_MS ? Math.min(startMs, firstMs) : firstMs;
  }

  /** Until when the source knows it; the start if it says nothing. */
  long untilMs() {
    return Math.max(startMs(), lastMs);
  }

  /** Whether the source says anything of a process. */
  boolean isEmpty() {
    return firstMs == Long.MAX_VALUE;
  }

  @Override
  public void heard(Fields event) {
    long ms = event.time().toEpochMilli();
    if (ms >= EARLIEST_MS) {
      firstMs = Math.min(firstMs, ms);
      lastMs = Math.max(lastMs, event.end().toEpochMilli());
    }
    switch (event.name()) {
      case "jdk.JVMInformation" -> {
        var started = event.instant("jvmStartTime");
        startMs = started == null ? startMs : started.toEpochMilli();
      }
      case "offcut.ResourceStatistics" -> resources(ms, event);
      case "offcut.HandleStatistics" -> handles(ms, event);
      case "offcut.ProcessMemory" -> resident(ms, event);
      case "offcut.Series" -> series(ms, event);
      case "jdk.GCHeapSummary" -> heap(ms, event);
      default -> {}
    }
  }

  private void resources(long ms, Fields event) {
    String kind = event.text("kind");
    Key key = new Key(KIND, kind, 0);
    count(
        key,
        ms,
        Kinds.isCloseable(kind) ? -1 : event.number("peakBytes"),
        event.number("opened"),
        event.number("closed"),
        event.number("collected"),
        event.number("lost"),
        0,
        event.number("openedBytes"),
        event.number("lostBytes"));
    hold(
        key,
        ms,
        event.number("open"),
        Kinds.isCloseable(kind) ? -1 : event.number("bytes") + event.number("lostBytes"));
  }

  private void handles(long ms, Fields event) {
    Key key = new Key(TYPE, event.text("type"), event.copy());
    count(
        key,
        ms,
        -1,
        event.number("opened"),
        event.number("closed"),
        0,
        0,
        event.number("forgotten"),
        0,
        0);
    hold(key, ms, event.number("open"), -1);
  }

  private void resident(long ms, Fields event) {
    hold(new Key(PROCESS, "resident", 0), ms, -1, event.number("resident", -1));
  }

  /** A row of a curve that the agent published. */
  private void series(long ms, Fields row) {
    hold(new Key(PROCESS, "resident", 0), ms, -1, row.number("resident", -1));
    hold(new Key(PROCESS, "heap", 0), ms, -1, row.number("heap", -1));
    hold(new Key(PROCESS, "heap live", 0), ms, -1, row.number("heapAfter", -1));
    for (String name : row.names()) {
      if (name.endsWith(OPEN_COLUMN)) {
        String kind = name.substring(0, name.length() - OPEN_COLUMN.length());
        hold(new Key(KIND, kind, 0), ms, row.number(name), row.number(kind + BYTES_COLUMN, -1));
      }
    }
  }

  private void heap(long ms, Fields event) {
    hold(new Key(PROCESS, "heap", 0), ms, -1, event.number("heapSpace.committedSize", -1));
    if (event.text("when").equals("After GC")) {
      hold(new Key(PROCESS, "heap live", 0), ms, -1, event.number("heapUsed", -1));
    }
  }

  @Override
  public void heard(Accounts accounts) {
    for (Accounts.Taken taken : accounts.all()) {
      long ms = taken.time().toEpochMilli();
      firstMs = Math.min(firstMs, ms);
      lastMs = Math.max(lastMs, ms);
      hold(new Key(PROCESS, "resident", 0), ms, -1, taken.account().resident());
      for (Part part : Part.values()) {
        long bytes = taken.account().bytes(part);
        if (bytes > 0 || held.containsKey(new Key(PART, part.title(), 0))) {
          hold(new Key(PART, part.title(), 0), ms, -1, bytes);
        }
      }
    }
  }

  /** {@code peak}: of the whole time until then; below zero if it is not known. */
  private void count(Key key, long ms, long peak, long... counters) {
    long window = Math.floorDiv(ms, WINDOW_MS);
    Counted known =
        counted
            .computeIfAbsent(key, made -> new TreeMap<>())
            .computeIfAbsent(window, made -> new Counted());
    raise(known.counters, counters);
    known.peak = Math.max(known.peak, peak);
    rounds.computeIfAbsent(key.what, made -> new TreeSet<>()).add(window);
  }

  private void hold(Key key, long ms, long open, long bytes) {
    if (open >= 0 || bytes >= 0) {
      held.computeIfAbsent(key, made -> new TreeMap<>())
          .computeIfAbsent(Math.floorDiv(ms, WINDOW_MS), made -> new Held())
          .take(ms, open, bytes);
    }
  }

  /**
   * Says what a name had at the end, where that is more than what was told of it: handles that were
   * forgotten after they were counted last.
   */
  void end(String what, String name, long... counters) {
    long[] told = new long[COUNTERS];
    Key last = new Key(what, name, 0);
    long[] whole = new long[COUNTERS];
    for (Map.Entry<Key, TreeMap<Long, Counted>> entry : counted.entrySet()) {
      if (entry.getKey().what.equals(what) && entry.getKey().name.equals(name)) {
        last = entry.getKey();
        whole = new long[COUNTERS];
        for (Counted one : entry.getValue().values()) {
          raise(whole, one.counters);
        }
        for (int i = 0; i < COUNTERS; i++) {
          told[i] += whole[i];
        }
      }
    }
    boolean more = false;
    for (int i = 0; i < COUNTERS; i++) {
      long missing = Math.max(0, counters[i] - told[i]);
      whole[i] += missing;
      more |= missing > 0;
    }
    if (more) {
      count(last, untilMs(), -1, whole);
    }
  }

  /** Says what a name holds at the end, where nothing was told over time. */
  void holdsAtEnd(String what, String name, long open, long bytes) {
    hold(new Key(what, name, 0), untilMs(), open, bytes);
  }

  /** Leaves out what was counted wrongly. */
  void dropKind(String kind) {
    counted.remove(new Key(KIND, kind, 0));
    held.remove(new Key(KIND, kind, 0));
  }

  /** The kinds that counters were told of. */
  List<String> kinds() {
    return counted.keySet().stream()
        .filter(key -> key.what.equals(KIND))
        .map(Key::name)
        .sorted()
        .toList();
  }

  private static void raise(long[] largest, long... counters) {
    for (int i = 0; i < COUNTERS; i++) {
      largest[i] = Math.max(largest[i], counters[i]);
    }
  }

  /** All rows, by name and time. */
  List<Rows.Window> windows() {
    List<Rows.Window> rows = new ArrayList<>();
    TreeSet<Key> keys =
        new TreeSet<>(
            Comparator.comparing(Key::what).thenComparing(Key::name).thenComparing(Key::copy));
    keys.addAll(counted.keySet());
    keys.addAll(held.keySet());
    keys.forEach(
        key ->
            add(
                rows,
                key,
                counted.getOrDefault(key, new TreeMap<>()),
                held.getOrDefault(key, new TreeMap<>())));
    return rows;
  }

  private void add(
      List<Rows.Window> rows, Key key, Map<Long, Counted> counts, Map<Long, Held> gauges) {
    long[] before = new long[COUNTERS];
    long peakBefore = -1;
    TreeSet<Long> windows = new TreeSet<>(counts.keySet());
    windows.addAll(gauges.keySet());
    for (long window : windows) {
      Counted now = counts.get(window);
      Held gauge = gauges.get(window);
      if (now == null) {
        rows.add(row(key, window * WINDOW_MS, WINDOW_MS, new long[COUNTERS], gauge, -1));
        continue;
      }
      long[] difference = new long[COUNTERS];
      for (int i = 0; i < COUNTERS; i++) {
        difference[i] = Math.max(0, now.counters[i] - before[i]);
      }
      raise(before, now.counters);
      long peak = now.peak > peakBefore ? now.peak : -1;
      peakBefore = Math.max(peakBefore, now.peak);
      long began = before(key.what, window);
      long ends = Math.max(began + 1, Math.min((window + 1) * WINDOW_MS, untilMs() + 1));
      if (began >= window * WINDOW_MS) {
        rows.add(row(key, window * WINDOW_MS, WINDOW_MS, difference, gauge, peak));
      } else {
        rows.add(row(key, began, ends - began, difference, null, peak));
        if (gauge != null) {
          rows.add(row(key, window * WINDOW_MS, WINDOW_MS, new long[COUNTERS], gauge, -1));
        }
      }
    }
  }

  /** Until when the counters of a sort were known before a window. */
  private long before(String what, long window) {
    TreeSet<Long> all = rounds.get(what);
    Long round = all == null ? null : all.lower(window);
    return round == null ? startMs() : (round + 1) * WINDOW_MS;
  }

  private static Rows.Window row(
      Key key, long startMs, long lengthMs, long[] counters, @Nullable Held gauge, long peak) {
    return new Rows.Window(
        startMs,
        lengthMs,
        key.what,
        key.name,
        counters[OPENED],
        counters[CLOSED],
        counters[COLLECTED],
        counters[LOST],
        counters[FORGOTTEN],
        counters[OPENED_BYTES],
        counters[LOST_BYTES],
        gauge == null ? null : known(gauge.open),
        gauge == null ? null : known(gauge.bytes),
        known(Math.max(peak, gauge == null ? -1 : gauge.peak)));
  }

  private static @Nullable Long known(long figure) {
    return figure < 0 ? null : figure;
  }
}
