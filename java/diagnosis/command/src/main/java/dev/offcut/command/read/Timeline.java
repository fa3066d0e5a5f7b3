package dev.offcut.command.read;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Figures over time; further apart when there would be too many. */
public final class Timeline {
  // Figures, as columns of the agent's series have them.
  static final String RESIDENT = "resident";
  static final String HEAP = "heap";
  static final String HANDLES = "handles";
  static final String THREADS = "threads";
  static final String DESCRIPTORS = "descriptors";

  /** Bytes of the Java heap in use, garbage included. */
  static final String HEAP_USED = "heapUsed";

  /** What of it was in use after the last collection until then. */
  static final String HEAP_AFTER = "heapAfter";

  /** How many pauses collected the old generation. */
  static final String OLD_PAUSES = "oldPauses";

  /** How many of them collected the whole heap. */
  static final String FULL_PAUSES = "fullPauses";

  /** Bytes of metaspace in use, class space included, as the JVM counted them last. */
  static final String METASPACE = "metaspace";

  private static final String KIND = "kind ";

  /** Pauses of one marking of G1: Remark and Cleanup. */
  private static final int MARKING_PAUSES = 2;

  /**
   * After a marking G1 leaves garbage: up to 5 % of the heap, some in regions that are nearly full
   * of live objects, and what young objects refer to that died meanwhile. It was up to a fifth of
   * the heap; one part in so many stands for all of it.
   */
  private static final int LEFT_SHARE = 4;

  /** What comes within so many milliseconds is of one time. */
  private static final long STEP = 50;

  /** A quarter of an hour at one a second: more than a screen has columns for. */
  private static final int MOST_POINTS = 900;

  /** Enough to see a pattern; a busy program has millions. */
  private static final int MOST_COLLECTIONS = 2_000;

  /** Seconds after the program began, in which the agent looks first. */
  private static final double EARLY = 2;

  private record Pause(Instant time, double millis, String cause, long count) {}

  /** Pauses until then, how long they were together, and why the last was. */
  private record Paused(long count, long nanos, String cause) {}

  /** What was known at a time, in steps since 1970. */
  private final TreeMap<Long, Map<String, Long>> rows = new TreeMap<>();

  private Instant ending = Instant.MAX;
  private final List<Pause> pauses = new ArrayList<>();
  private final TreeMap<Instant, Paused> sums = new TreeMap<>();

  public void kind(Instant time, String kind, long bytes) {
    set(time, KIND + kind, bytes);
  }

  void collection(Fields event) {
    if (pauses.size() < MOST_COLLECTIONS) {
      pauses.add(new Pause(event.time(), event.millis("sumOfPauses"), event.text("cause"), 1));
    }
  }

  /** What there was until a time, of which the collections between two are made. */
  void paused(Fields row) {
    sums.put(
        row.time(),
        new Paused(row.number("pauses"), row.number("pauseNanos"), row.text("pauseCause")));
  }

  /** Whether anything is known of collections. */
  boolean knowsPauses() {
    return !sums.isEmpty() || !pauses.isEmpty();
  }

  /** All by time; those of one second, of which the sum alone is known, are one. */
  private List<Pause> allPauses(ToDoubleFunction<Instant> seconds) {
    List<Pause> all = new ArrayList<>(pauses);
    Paused before = null;
    for (Map.Entry<Instant, Paused> sum : sums.entrySet()) {
      Paused now = sum.getValue();
      if (before == null) {
        // What was before the agent came is nobody's second.
        before = seconds.applyAsDouble(sum.getKey()) < EARLY ? new Paused(0, 0, "") : now;
      }
      if (now.count() > before.count()) {
        all.add(
            new Pause(
                sum.getKey(),
                Math.max(0, now.nanos() - before.nanos()) / 1e6,
                now.cause(),
                now.count() - before.count()));
      }
      before = now;
    }
    all.sort(Comparator.comparing(Pause::time));
    return all;
  }

  /** The bytes of a kind, from the first second in which it was told. */
  public List<GrowthRates.Point> kind(String kind) {
    return points(KIND + kind);
  }

  /**
   * What collections left in use of the Java heap, up to the last one that shows what the old
   * generation has: at each time no more than at any later one. A collection of the young
   * generation leaves objects that nobody uses any more. A full collection shows them. A marking of
   * G1 shows them when the collections after it are over, which are before the next marking. There
   * are no points if these may have left all of a rise.
   */
  public List<GrowthRates.Point> heapLeft() {
    List<GrowthRates.Point> left = new ArrayList<>();
    long latestFull = -1;
    long latestMarking = -1;
    long least = Long.MAX_VALUE;
    long committed = 0;
    long most = 0; // garbage in the latest point
    for (Map.Entry<Long, Map<String, Long>> entry : rows.descendingMap().entrySet()) {
      Map<String, Long> row = entry.getValue();
      Long pauses = row.get(OLD_PAUSES);
      Long after = row.get(HEAP_AFTER);
      if (pauses == null || after == null) {
        continue;
      }
      long full = row.getOrDefault(FULL_PAUSES, 0L);
      latestFull = Math.max(latestFull, full);
      latestMarking = Math.max(latestMarking, pauses - full);
      least = Math.min(least, after);
      committed = Math.max(committed, row.getOrDefault(HEAP, 0L));
      if (full < latestFull || pauses - full < latestMarking - MARKING_PAUSES) {
        most = left.isEmpty() && full == latestFull ? committed / LEFT_SHARE : most;
        left.add(new GrowthRates.Point(time(entry.getKey()), least));
      }
    }
    return GrowthRates.afterStart(left.reversed()) < most ? List.of() : left.reversed();
  }

  /** The most by which resident memory was more than at first; nothing is known: no limit. */
  public long residentRise() {
    List<GrowthRates.Point> points = points(RESIDENT);
    return points.stream()
        .mapToLong(point -> point.bytes() - points.getFirst().bytes())
        .max()
        .orElse(Long.MAX_VALUE);
  }

  public List<GrowthRates.Point> metaspace() {
    return points(METASPACE);
  }

  /** How many threads the process had, until the program's end began. */
  public List<GrowthRates.Point> threads() {
    return untilEnding(THREADS);
  }

  /** How many file descriptors the process had, until the program's end began. */
  public List<GrowthRates.Point> descriptors() {
    return untilEnding(DESCRIPTORS);
  }

  /** A collection at the end closes what the program forgot. */
  private List<GrowthRates.Point> untilEnding(String figure) {
    return points(figure).stream().filter(point -> !point.time().isAfter(ending)).toList();
  }

  /** The program's end begins then. */
  void endsAt(Instant time) {
    ending = time;
  }

  private List<GrowthRates.Point> points(String figure) {
    List<GrowthRates.Point> points = new ArrayList<>();
    rows.forEach(
        (step, row) -> {
          Long bytes = row.get(figure);
          if (bytes != null) {
            points.add(new GrowthRates.Point(time(step), bytes));
          }
        });
    return points;
  }

  /** How many collections {@code System.gc} asked for, whoever called it, as far as is known. */
  long askedFor() {
    return allPauses(time -> 0).stream()
        .filter(pause -> pause.cause().equals("System.gc()"))
        .count();
  }

  /** Below zero it is not known. */
  void set(Instant time, String figure, long value) {
    if (value < 0) {
      return;
    }
    rows.computeIfAbsent(time.toEpochMilli() / STEP, made -> new HashMap<>()).put(figure, value);
    if (rows.size() > 2 * MOST_POINTS) {
      thin();
    }
  }

  private static Instant time(long step) {
    return Instant.ofEpochMilli(STEP * step);
  }

  /** Drops every other time. What was known then is known again a moment later. */
  private void thin() {
    boolean drop = false;
    for (var entries = rows.entrySet().iterator(); entries.hasNext(); drop = !drop) {
      entries.next();
      if (drop) {
        entries.remove();
      }
    }
  }

  /**
   * All of it.
   *
   * @param seconds those of the program at a time
   * @param known kinds that there are
   */
  Series series(ToDoubleFunction<Instant> seconds, List<Digest.Kind> known) {
    while (rows.size() > MOST_POINTS) {
      thin();
    }
    dropFirstWithoutResident();
    List<Double> times = new ArrayList<>();
    rows.keySet().forEach(step -> times.add(seconds.applyAsDouble(time(step))));
    // The first step began before the program did.
    times.replaceAll(time -> Math.max(0, time));
    List<Series.OfKind> kinds =
        known.stream()
            .filter(kind -> !Kinds.isCloseable(kind.kind()))
            .map(kind -> new Series.OfKind(kind.kind(), column(KIND + kind.kind())))
            .toList();
    List<Series.Collection> collections =
        allPauses(seconds).stream()
            .map(
                pause ->
                    new Series.Collection(
                        seconds.applyAsDouble(pause.time()),
                        pause.millis(),
                        pause.cause(),
                        pause.count()))
            .toList();
    return new Series(
        times,
        column(RESIDENT),
        column(HEAP),
        column(HEAP_USED),
        column(HEAP_AFTER),
        kinds,
        column(HANDLES),
        collections,
        null);
  }

  /**
   * They are a fraction of a second, and would look as if all had begun with nothing. What they
   * knew the next one knows, too.
   */
  private void dropFirstWithoutResident() {
    while (!rows.isEmpty()
        && isResidentKnown()
        && !rows.firstEntry().getValue().containsKey(RESIDENT)) {
      Map<String, Long> dropped = rows.pollFirstEntry().getValue();
      dropped.forEach(rows.firstEntry().getValue()::putIfAbsent);
    }
  }

  private boolean isResidentKnown() {
    return rows.values().stream().anyMatch(row -> row.containsKey(RESIDENT));
  }

  /** A figure that was not told in a second is as it was before. */
  private List<@Nullable Long> column(String name) {
    List<@Nullable Long> column = new ArrayList<>();
    Long last = null;
    for (Map<String, Long> row : rows.values()) {
      Long told = row.get(name);
      last = told == null ? last : told;
      column.add(last);
    }
    return column;
  }
}
