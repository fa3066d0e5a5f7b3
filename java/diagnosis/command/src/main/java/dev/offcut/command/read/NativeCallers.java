package dev.offcut.command.read;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who called malloc, and holds the blocks at the end of a run: what a profiler in the program
 * sampled. All figures are estimates; sizes are in bytes.
 *
 * <pre>
 *   held = Σ places + rest + jvm + profiler + counted
 * </pre>
 *
 * <p>Blocks of kinds that the agent may count, too, are places of such a group until {@link
 * #without} takes them out, so that no block is told twice, and none is passed over that nobody
 * counts.
 *
 * @param problem why there are no figures, a sentence; empty if there are
 * @param interval of so many bytes that malloc handed out, one is sampled
 * @param began when the first block could be sampled
 * @param ended what is held is held at this time
 * @param stopped whether the profiler was stopped before the program ended
 * @param missed the share of calls of free that the profiler did not record
 * @param held what malloc itself used for the blocks, with its headers
 * @param jvm blocks of the JVM itself
 * @param profiler blocks of the profiler itself that it saw, see {@link #ofProfiler}
 * @param counted blocks of other kinds, which the agent counts: direct buffers, arenas, Unsafe, JNA
 * @param taken how many blocks native libraries took in all, those included that were freed
 * @param takenBytes likewise
 * @param open how many of them are held
 * @param rest blocks of places that are too small, and too many, to be listed
 * @param times when the lists of bytes of the places were taken
 * @param places those with most bytes first
 */
public record NativeCallers(
    String problem,
    long interval,
    Instant began,
    Instant ended,
    boolean stopped,
    double missed,
    long held,
    long jvm,
    long profiler,
    long counted,
    long taken,
    long takenBytes,
    long open,
    long rest,
    List<Instant> times,
    List<Place> places) {

  /** Its kind of resources, among those that the agent counts. */
  public static final String KIND = "malloc.native";

  /**
   * What the profiler takes before it can see calls of malloc, its own included: the symbols of the
   * JVM and of the C library. 11.7 to 13.5 MiB with JDK 17 to 25.
   */
  private static final long SYMBOLS = 13L << 20;

  /** Standard deviations of an interval that is right 95 times in 100. */
  private static final double WIDTH = 1.96;

  /** What is missed of frees up to here is within the margins of places. */
  private static final double FEW = 0.01;

  /**
   * Blocks that one native function took for one stack of Java frames.
   *
   * @param group of the kinds that may have counted the blocks, too; empty if none does
   * @param frames the native function, then the Java frames, innermost first
   * @param taken how many blocks were taken in all
   * @param takenBytes likewise
   * @param open how many are held at the end
   * @param bytes of these
   * @param used what malloc itself used for these, with its headers
   * @param samples how many blocks were sampled that are held
   * @param spread of so many bytes is each sample, and its square, added up: the variance
   * @param series the bytes that were held at each of the times
   */
  public record Place(
      String group,
      List<String> frames,
      long taken,
      long takenBytes,
      long open,
      long bytes,
      long used,
      long samples,
      double spread,
      List<Long> series) {
    /** The frame that a person would mend. */
    String own() {
      return new CallSite(frames).own();
    }

    String function() {
      return frames.getFirst();
    }

    /** Whether the program took it at one of these lines. */
    public boolean isAt(Set<String> lines) {
      return lines.contains(own());
    }

    /** Whether the program took it by a method of a class, or of a package. */
    public boolean isOf(String prefix) {
      return frames.stream()
          .limit(new CallSite(frames).ownAt() + 1L)
          .anyMatch(frame -> frame.startsWith(prefix));
    }

    /** Whether it is a buffer that NIO keeps for a thread. */
    public boolean isOfNio() {
      return frames.stream().anyMatch(frame -> frame.startsWith("sun.nio.ch.Util."));
    }

    private boolean isCounted(List<Digest.Kind> kinds) {
      return !group.isEmpty()
          && kinds.stream()
              .filter(kind -> kind.opened() > 0)
              .map(Digest.Kind::kind)
              .anyMatch(
                  kind ->
                      kind.equals(group)
                          || kind.startsWith(group + ".")
                          || (group.equals("jna") && kind.equals("malloc.jna")));
    }
  }

  /** Places of one line of the program. */
  public record Line(String own, List<Place> places) {
    public long bytes() {
      return places.stream().mapToLong(Place::bytes).sum();
    }

    public long margin(long interval) {
      return NativeCallers.margin(places, interval);
    }
  }

  /** One without figures. {@code problem}: why, a sentence. */
  public static NativeCallers none(String problem) {
    return new NativeCallers(
        problem,
        0,
        Instant.EPOCH,
        Instant.EPOCH,
        false,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        List.of(),
        List.of());
  }

  /** Whether there are figures. */
  public boolean isKnown() {
    return problem.isEmpty();
  }

  /** What native libraries hold. */
  public long bytes() {
    return rest + places.stream().mapToLong(Place::bytes).sum();
  }

  /** How far off {@link #bytes} may be; what is not listed counts as much as what is. */
  public long margin() {
    long listed = places.stream().mapToLong(Place::bytes).sum();
    long margin = margin(places, interval);
    return listed == 0 ? margin : Math.round(margin * Math.sqrt(1 + (double) rest / listed));
  }

  /** What the profiler itself has. */
  public long ofProfiler() {
    return profiler + SYMBOLS;
  }

  /** What malloc itself uses for these: as much more for each as it does for those listed. */
  public long used() {
    long listed = places.stream().mapToLong(Place::bytes).sum();
    long used = places.stream().mapToLong(Place::used).sum();
    return used + (listed == 0 ? rest : Math.round((double) rest * used / listed));
  }

  /** Without blocks that the agent counts as one of these kinds. */
  public NativeCallers without(List<Digest.Kind> kinds) {
    List<Place> told = places.stream().filter(place -> place.isCounted(kinds)).toList();
    return new NativeCallers(
        problem,
        interval,
        began,
        ended,
        stopped,
        missed,
        held,
        jvm,
        profiler,
        counted + told.stream().mapToLong(Place::bytes).sum(),
        taken - told.stream().mapToLong(Place::taken).sum(),
        takenBytes - told.stream().mapToLong(Place::takenBytes).sum(),
        open - told.stream().mapToLong(Place::open).sum(),
        rest,
        times,
        places.stream().filter(place -> !place.isCounted(kinds)).toList());
  }

  /** By line of the program, the most bytes first. */
  public static List<Line> lines(List<Place> places) {
    Map<String, List<Place>> byOwn = new LinkedHashMap<>();
    for (Place place : places) {
      byOwn.computeIfAbsent(place.own(), own -> new ArrayList<>()).add(place);
    }
    return byOwn.entrySet().stream()
        .map(entry -> new Line(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(Line::bytes).reversed())
        .toList();
  }

  /** The bytes of places over time. */
  public List<GrowthRates.Point> series(List<Place> some) {
    List<GrowthRates.Point> points = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      long sum = 0;
      for (Place place : some) {
        sum += place.series().get(i);
      }
      points.add(new GrowthRates.Point(times.get(i), sum));
    }
    return points;
  }

  /**
   * How far off the bytes of places may be. A sample that is smaller than the interval stands for
   * others that were not sampled, so that a place of few samples is less certain: two more are
   * added.
   */
  public static long margin(List<Place> some, long interval) {
    double variance = some.stream().mapToDouble(Place::spread).sum();
    double more = variance > 0 ? 2.0 * interval * interval : 0;
    return (long) Math.ceil(WIDTH * Math.sqrt(variance + more));
  }

  /** A native function, or a line that called one, and what it took that is held. */
  public record Function(String name, long bytes) {}

  /** The native functions that took most, with what they hold. */
  public static List<Function> functions(List<Place> some, int most) {
    Map<String, Long> byFunction = new LinkedHashMap<>();
    some.forEach(place -> byFunction.merge(place.function(), place.bytes(), Long::sum));
    return byFunction.entrySet().stream()
        .filter(one -> one.getValue() > 0)
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(most)
        .map(one -> new Function(one.getKey(), one.getValue()))
        .toList();
  }

  /** As one of the kinds of resources. */
  Digest.Kind kind() {
    long peak = series(places).stream().mapToLong(GrowthRates.Point::bytes).max().orElse(0);
    return new Digest.Kind(
        KIND,
        taken,
        Math.max(0, taken - open),
        0,
        0,
        open,
        bytes(),
        Math.max(peak, bytes()),
        takenBytes,
        0);
  }

  /** Its places. */
  public List<Digest.Site> sites() {
    return places.stream()
        .map(
            place ->
                new Digest.Site(
                    KIND,
                    place.frames(),
                    place.taken(),
                    Math.max(0, place.taken() - place.open()),
                    0,
                    0,
                    place.open(),
                    place.bytes(),
                    0,
                    place.samples(),
                    false,
                    new Digest.Margins(0, margin(List.of(place), interval), 0, 0)))
        .toList();
  }

  /** What a reader has to know, because of which a block may not be found; a sentence each. */
  List<String> limits() {
    if (!isKnown()) {
      return List.of("--native has no figures: " + problem);
    }
    List<String> all = new ArrayList<>();
    if (stopped) {
      all.add(
          "The file of the profiler reached its size limit at "
              + ended
              + ", so the figures of --native end then. The file has an entry for each call of free,"
              + " so a larger interval, such as --native=1m, may not make it smaller.");
    }
    if (missed > FEW) {
      all.add(
          "The profiler of --native missed about "
              + Figures.percent(Math.round(1000 * missed), 1000)
              + " of the calls of free, so some blocks that it reports as open were freed.");
    }
    return all;
  }
}
