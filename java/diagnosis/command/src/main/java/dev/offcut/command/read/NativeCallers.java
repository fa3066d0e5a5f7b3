package dev.offcut.command.read;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who called malloc, and holds the blocks: what the sampler in the program saw. All figures are
 * estimates; sizes are in bytes, as malloc uses them for the blocks.
 *
 * <p>Blocks of kinds that the agent may count, too, are places of such a group until {@link
 * #without} takes them out, so that no block is told twice, and none is passed over that nobody
 * counts.
 *
 * @param problem why there are no figures, a sentence; empty if there are
 * @param interval of so many bytes that malloc handed out, one is sampled, on average
 * @param began when the first block could be sampled
 * @param ended what is held is held at this time
 * @param unseen what was not sampled
 * @param jvm blocks of the JVM itself
 * @param compiler what the JVM's compiler freed, if others did not free more; else 0
 * @param counted blocks of other kinds, which the agent counts: direct buffers, arenas, Unsafe, JNA
 * @param rest blocks of places that are too small, and too many, to be listed
 * @param times of the values of the series
 * @param series bytes that were held at these times, by line; of the largest lines
 * @param places those with most bytes first
 * @param mapped memory that native libraries mapped for themselves, past malloc: the same
 */
public record NativeCallers(
    String problem,
    long interval,
    Instant began,
    Instant ended,
    List<String> unseen,
    long jvm,
    long compiler,
    long counted,
    long rest,
    List<Instant> times,
    List<Series> series,
    List<Place> places,
    List<Place> mapped) {
  public NativeCallers {
    if (series.stream().anyMatch(one -> one.bytes().size() != times.size())) {
      throw new IllegalArgumentException("a series has not as many figures as there are times");
    }
  }

  /** What the name of the sampler's file ends with, behind the PID. */
  public static final String ENDING = ".native";

  /** Its kind of resources, among those that the agent counts. */
  public static final String KIND = "malloc.native";

  /** Standard deviations of an interval that is right 95 times in 100. */
  private static final double WIDTH = 1.96;

  /**
   * Blocks that one native function took for one stack of Java frames.
   *
   * @param group of the kinds that may have counted the blocks, too; empty if none does
   * @param frames the native function, then the Java frames, innermost first
   * @param line the index of the frame that a person would mend
   * @param through the code sources of the frames further in
   * @param taken how many blocks were taken in all
   * @param takenBytes likewise
   * @param open how many are held at the end
   * @param bytes of these, as far as they are in pages of memory
   * @param samples how many blocks were sampled that are held
   * @param spread the variance of the bytes
   * @param ended how blocks ended
   */
  public record Place(
      String group,
      List<String> frames,
      int line,
      List<String> through,
      long taken,
      long takenBytes,
      long open,
      long bytes,
      long samples,
      double spread,
      Ended ended) {
    public Place {
      Objects.checkIndex(line, frames.size());
    }

    public String own() {
      return frames.get(line);
    }

    /** The native function that took it, or what the JVM has it for. */
    public String function() {
      return frames.getFirst();
    }

    public boolean isAt(String line) {
      return line.equals(own());
    }

    /** Whether the program took it by a method of a class, or of a package. */
    public boolean isOf(String prefix) {
      return frames.stream().limit(line + 1L).anyMatch(frame -> frame.startsWith(prefix));
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

  /**
   * How blocks ended, in bytes, and how old those are that did not.
   *
   * @param untouched of those that are held, what is in no page: nobody has written to it
   * @param early of those that are held, what was taken in the first half of the time in which the
   *     place took any
   * @param late freed by threads that wait for the collector: finalizers, cleaners
   * @param lateMillis how long these waited, on average, from their taking on
   * @param inTime freed by other threads
   * @param inTimeMillis how long these lived, on average
   * @param liberators what these threads run, those that freed most first
   */
  public record Ended(
      long untouched,
      long early,
      long late,
      long lateMillis,
      long inTime,
      long inTimeMillis,
      List<String> liberators) {}

  /** Bytes of a line that were held, at the times of all series, and the most at any time. */
  public record Series(String line, long peak, List<Long> bytes) {}

  public record Line(String own, List<Place> places) {
    public long bytes() {
      return places.stream().mapToLong(Place::bytes).sum();
    }

    public long margin(long interval) {
      return NativeCallers.margin(places, interval);
    }

    public long untouched() {
      return sum(Ended::untouched);
    }

    public long early() {
      return sum(Ended::early);
    }

    public long late() {
      return sum(Ended::late);
    }

    /** How long that waited, on average. */
    public double lateMillis() {
      return late() == 0 ? 0 : lived(Ended::late, Ended::lateMillis) / late();
    }

    private long sum(ToLongFunction<Ended> figure) {
      return places.stream().map(Place::ended).mapToLong(figure).sum();
    }

    /** Bytes times milliseconds. */
    private double lived(ToLongFunction<Ended> bytes, ToLongFunction<Ended> millis) {
      return places.stream()
          .map(Place::ended)
          .mapToDouble(one -> (double) bytes.applyAsLong(one) * millis.applyAsLong(one))
          .sum();
    }

    /** Whether what lived for long was freed by the collector's threads, and not in time. */
    public boolean isLeftToCollector() {
      return lived(Ended::late, Ended::lateMillis) > lived(Ended::inTime, Ended::inTimeMillis);
    }

    public long inTime() {
      return sum(Ended::inTime);
    }

    public List<String> liberators() {
      return places.stream()
          .flatMap(place -> place.ended().liberators().stream())
          .distinct()
          .toList();
    }
  }

  /** One without figures. {@code problem}: why, a sentence. */
  public static NativeCallers none(String problem) {
    return new NativeCallers(
        problem,
        0,
        Instant.EPOCH,
        Instant.EPOCH,
        List.of(),
        0,
        0,
        0,
        0,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  /**
   * What the sampler of a program left, or leaves, beside the tables of its agent; null if it was
   * not in the program.
   */
  public static @Nullable NativeCallers beside(Path tables) {
    String name = String.valueOf(tables.getFileName());
    Path file = tables.resolveSibling(name.replace(Tables.ENDING, ENDING));
    if (!name.endsWith(Tables.ENDING) || !Files.exists(file)) {
      return null;
    }
    try {
      return NativeRows.of(NativeTable.read(file), path -> Jvm.seen(tables, path));
    } catch (Failure e) {
      return none(e.sentence() + ".");
    }
  }

  public boolean isKnown() {
    return problem.isEmpty();
  }

  public long bytes() {
    return rest + places.stream().mapToLong(Place::bytes).sum();
  }

  /** How far off {@link #bytes} may be; what is not listed counts as much as what is. */
  public long margin() {
    long listed = places.stream().mapToLong(Place::bytes).sum();
    long margin = margin(places, interval);
    return listed == 0 ? margin : Math.round(margin * Math.sqrt(1 + (double) rest / listed));
  }

  /** How far off what the JVM and native libraries hold may be, together. */
  public long marginOfAll() {
    return Math.round(Math.hypot((double) margin(), WIDTH * Math.sqrt((double) jvm * interval)));
  }

  /** A library's name without what a jar that brings it adds anew in each run. */
  public static String library(String name) {
    return NativeRows.RANDOM.matcher(name).replaceAll("");
  }

  /** Without blocks that the agent counts as one of these kinds. */
  public NativeCallers without(List<Digest.Kind> kinds) {
    List<Place> told = places.stream().filter(place -> place.isCounted(kinds)).toList();
    return new NativeCallers(
        problem,
        interval,
        began,
        ended,
        unseen,
        jvm,
        compiler,
        counted + told.stream().mapToLong(Place::bytes).sum(),
        rest,
        times,
        series,
        places.stream().filter(place -> !place.isCounted(kinds)).toList(),
        mapped);
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

  /** The most that a line held at any time, as far as it was looked at. */
  public long peak(Line line) {
    return Math.max(
        line.bytes() + line.untouched(),
        series.stream().filter(one -> one.line().equals(line.own())).mapToLong(Series::peak).sum());
  }

  /** The bytes of the lines of some places over time. */
  public List<GrowthRates.Point> series(List<Place> some) {
    List<List<Long>> its =
        series.stream()
            .filter(one -> some.stream().anyMatch(place -> place.own().equals(one.line())))
            .map(Series::bytes)
            .toList();
    List<GrowthRates.Point> points = new ArrayList<>();
    for (int i = 0; i < times.size() && !its.isEmpty(); i++) {
      long sum = 0;
      for (List<Long> one : its) {
        sum += one.get(i);
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

  Digest.Kind kind() {
    long peak = series(places).stream().mapToLong(GrowthRates.Point::bytes).max().orElse(0);
    long taken = places.stream().mapToLong(Place::taken).sum();
    long open = places.stream().mapToLong(Place::open).sum();
    return new Digest.Kind(
        KIND,
        taken,
        Math.max(0, taken - open),
        0,
        0,
        open,
        bytes(),
        Math.max(peak, bytes()),
        places.stream().mapToLong(Place::takenBytes).sum(),
        0);
  }

  /** Its places: those of a line and a native function are one. */
  public List<Digest.Site> sites() {
    Map<String, List<Place>> byLine = new LinkedHashMap<>();
    for (Place place : places) {
      byLine
          .computeIfAbsent(place.own() + " " + place.function(), made -> new ArrayList<>())
          .add(place);
    }
    return byLine.values().stream().map(this::site).toList();
  }

  private Digest.Site site(List<Place> some) {
    Place most = some.getFirst();
    long taken = some.stream().mapToLong(Place::taken).sum();
    long open = some.stream().mapToLong(Place::open).sum();
    return new Digest.Site(
        KIND,
        most.frames(),
        most.line(),
        some.stream().flatMap(place -> place.through().stream()).distinct().toList(),
        taken,
        Math.max(0, taken - open),
        0,
        0,
        open,
        some.stream().mapToLong(Place::bytes).sum(),
        0,
        some.stream().mapToLong(Place::samples).sum(),
        false,
        new Digest.Margins(0, margin(some, interval), 0, 0),
        List.of());
  }

  /** What a reader has to know, because of which a block may not be found; a sentence each. */
  List<String> limits() {
    if (!isKnown()) {
      return List.of("Native memory has no lines: " + problem);
    }
    return unseen.isEmpty()
        ? List.of()
        : List.of("Not sampled of native memory: " + String.join("; ", unseen) + ".");
  }
}
