package dev.offcut.command.read;

import dev.offcut.resident.Account;
import dev.offcut.resident.Part;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A figure that rose over a run: bytes of a part of resident memory, bytes of a kind of resources,
 * or a count.
 *
 * <p>The rate is the slope of Theil and Sen: the median of the slopes between all pairs of points,
 * which single points do not move. Its margin is Sen's, which holds 95 times in 100. What rises in
 * the first third of the run, or in its first minute, is the program's start. What comes after
 * rises if the margin is above zero, and if the second and the third third of that time rise as
 * well, or all but the last third or two seconds: so a step is no rise, and neither is a figure
 * that rose and then stayed.
 */
public final class GrowthRates {
  public record Point(Instant time, long bytes) {}

  /** So many points tell of a rise, and so many of them come after the start. */
  private static final int FEWEST = 10;

  private static final int FEWEST_AFTER = 6;

  /** What comes after the start has to last for so long. */
  private static final double SHORTEST_SECONDS = 1.5;

  /** The start is one part in so many of the run, and at most so long. */
  private static final int START_SHARE = 3;

  private static final double LONGEST_START_SECONDS = 60;

  /** Points are joined into so many: else pairs are many, and those close together count most. */
  private static final int MOST_POINTS = 30;

  /** In each of so many parts but the first a rise has at least such a share of its rate. */
  private static final int THIRDS = 3;

  private static final int SHARE_OF_RATE = 3;

  /** A rise takes at least this share of the time: less is a step. */
  private static final double STEP = 0.1;

  /** At the end nothing need rise for so long. */
  private static final double SHORT_END_SECONDS = 2;

  /** Standard deviations of a margin that holds 95 times in 100. */
  private static final double WIDTH = 1.96;

  /** Less is nobody's concern, and less than this share of what is resident. */
  private static final long LEAST_BYTES = 16L << 20;

  private static final int LEAST_SHARE = 20;

  /** What collections leave of the Java heap, in words. */
  public static final String HEAP = "Java heap after collections";

  /** What is told together, under the first one's name. Collectors decide on the heap. */
  static final List<List<Part>> GROUPS =
      List.of(
          List.of(Part.GO_OBJECTS, Part.GO_FREE, Part.GO_HEAP),
          List.of(Part.GO_STACKS),
          List.of(Part.GO_RUNTIME),
          List.of(Part.MALLOC_USED, Part.MALLOC_JVM),
          List.of(Part.MALLOC_UNREAD),
          List.of(Part.METASPACE, Part.CLASS_SPACE),
          List.of(Part.STACKS),
          List.of(Part.POOLS),
          List.of(Part.ALLOCATOR),
          List.of(Part.ALLOCATOR_UNREAD),
          List.of(Part.FILES),
          List.of(Part.SHARED),
          List.of(Part.UNEXPLAINED));

  private GrowthRates() {}

  /** Whether accounts at these times, in seconds, would show that a part grows. */
  public static boolean isLongEnough(List<Double> times) {
    return after(
            times.stream()
                .map(time -> new Point(Instant.ofEpochMilli(Math.round(1000 * time)), 0))
                .toList(),
            SHORTEST_SECONDS)
        != null;
  }

  /** All parts that do, the fastest first. */
  public static List<Digest.Growth> of(Accounts accounts) {
    List<Digest.Growth> all = new ArrayList<>();
    for (List<Part> group : GROUPS) {
      Digest.Growth growth =
          of(
              group.get(0).title(),
              points(accounts, account -> bytes(account, group)),
              least(accounts.last().resident()));
      if (growth != null) {
        all.add(growth);
      }
    }
    all.sort(Comparator.comparingLong(Digest.Growth::rate).reversed());
    return all;
  }

  /**
   * Parts that grow, and kinds of resources that do by the agent's counts. What is told of kinds in
   * malloc is no growth of malloc besides, unless it grew by more than twice as much.
   */
  public static List<Digest.Growth> withKinds(
      Digest.Memory memory, List<Digest.Kind> kinds, Timeline timeline) {
    List<Digest.Growth> all = new ArrayList<>();
    long inMalloc = 0;
    for (Digest.Kind kind : kinds) {
      List<Point> points = timeline.kind(kind.kind());
      Digest.Growth growth = of(kind.kind(), points, least(memory.resident()));
      // What is lost is a finding by itself.
      if (growth != null && kind.bytes() >= least(memory.resident())) {
        all.add(growth);
        inMalloc += Kinds.isInMalloc(kind.kind()) ? growth.bytes() : 0;
      }
    }
    Digest.Growth heap = of(HEAP, timeline.heapLeft(), least(memory.resident()));
    if (heap != null) {
      all.add(heap);
    }
    // Accounts are few in a short run.
    Digest.Growth metaspace =
        of(Part.METASPACE.title(), timeline.metaspace(), least(memory.resident()));
    if (metaspace != null) {
      all.add(metaspace);
    }
    for (Digest.Growth growth : memory.growing()) {
      if (metaspace != null && growth.part().equals(metaspace.part())) {
        continue;
      }
      boolean isMalloc =
          growth.part().equals(Part.MALLOC_USED.title())
              || growth.part().equals(Part.MALLOC_UNREAD.title());
      if (!isMalloc || growth.bytes() > 2 * inMalloc) {
        all.add(growth);
      }
    }
    all.sort(Comparator.comparingLong(Digest.Growth::rate).reversed());
    return all;
  }

  /** Of the number of threads; null if it does not grow by so many. */
  public static Digest.@Nullable Growth ofThreads(
      Timeline timeline, Accounts accounts, long fewest) {
    return ofCount("threads", timeline.threads(), points(accounts, Account::threads), fewest);
  }

  /** Of the number of file descriptors; null if it does not grow by so many. */
  public static Digest.@Nullable Growth ofDescriptors(
      Timeline timeline, Accounts accounts, long fewest) {
    return ofCount(
        "file descriptors",
        timeline.descriptors(),
        points(accounts, account -> account.descriptors().open()),
        fewest);
  }

  /** By the agent's points; by those of accounts if there is no agent. */
  private static Digest.@Nullable Growth ofCount(
      String names, List<Point> counted, List<Point> looked, long fewest) {
    return of(names, counted.isEmpty() ? looked : counted, fewest);
  }

  /** The bytes by which a figure has to rise, of a process with so much resident. */
  public static long least(long resident) {
    return Math.max(LEAST_BYTES, resident / LEAST_SHARE);
  }

  private static List<Point> points(Accounts accounts, ToLongFunction<Account> figure) {
    return accounts.all().stream()
        .map(taken -> new Point(taken.time(), figure.applyAsLong(taken.account())))
        .toList();
  }

  /**
   * Null if the figure does not rise, or more slowly than by {@code least} over the whole run, its
   * start included.
   */
  public static Digest.@Nullable Growth of(String names, List<Point> points, long least) {
    return of(names, points, least, SHORTEST_SECONDS);
  }

  /**
   * Likewise of what each opening and each end is known: a short run tells as much as a long one,
   * and so does the time from the first opening on.
   */
  public static Digest.@Nullable Growth ofEach(String names, List<Point> points, long least) {
    List<Point> all = after(points, 0);
    if (all == null) {
      return null;
    }
    boolean isBegun = all.getFirst().bytes() != points.getFirst().bytes();
    return of(names, points, isBegun ? all : begun(all), least);
  }

  private static Digest.@Nullable Growth of(
      String names, List<Point> points, long least, double shortest) {
    List<Point> all = after(points, shortest);
    return all == null ? null : of(names, points, all, least);
  }

  /** Without the time before the figure changes for the first time, if that leaves enough. */
  private static List<Point> begun(List<Point> all) {
    int from = 0;
    while (from < all.size() - 1 && all.get(from + 1).bytes() == all.getFirst().bytes()) {
      from++;
    }
    List<Point> rest = all.subList(from, all.size());
    return rest.size() >= FEWEST
            && seconds(rest.getFirst(), rest.getLast())
                >= STEP * seconds(all.getFirst(), all.getLast())
        ? rest
        : all;
  }

  /** {@code all}: the points that tell. */
  private static Digest.@Nullable Growth of(
      String names, List<Point> points, List<Point> all, long least) {
    List<Point> some = joined(all);
    long rise = some.getLast().bytes() - some.getFirst().bytes();
    double[] slopes = slopes(some);
    double rate = slopes[slopes.length / 2];
    int n = some.size();
    double margin = WIDTH * Math.sqrt(n * (n - 1) * (2.0 * n + 5) / 18);
    double lower = slopes[(int) Math.max(0, (slopes.length - margin) / 2)];
    double upper =
        slopes[(int) Math.min(slopes.length - 1, Math.ceil((slopes.length + margin) / 2))];
    double share =
        seconds(some.getFirst(), some.getLast()) / seconds(points.getFirst(), points.getLast());
    return rise < share * least
            || lower <= 0
            || !(risesToTheEnd(some, rate / SHARE_OF_RATE) || endsSoonAfter(some))
        ? null
        : new Digest.Growth(
            names,
            rise,
            seconds(some.getFirst(), some.getLast()),
            Math.round(60 * rate),
            Math.round(60 * lower),
            Math.round(60 * upper));
  }

  /** By how many more are open at the end than behind the start of the run. */
  public static long afterStart(List<Point> points) {
    List<Point> all = after(points, 0);
    return all == null ? 0 : all.getLast().bytes() - all.getFirst().bytes();
  }

  /**
   * Whether two figures rise together: behind the start of the run the shares of their rises are
   * never further apart. Points of the other one may be few.
   */
  public static boolean isInStep(List<Point> one, List<Point> other, double most) {
    List<Point> its = after(one, 0);
    if (its == null || afterStart(one) <= 0) {
      return false;
    }
    List<Point> others = at(its, other);
    if (others.getLast().bytes() <= others.getFirst().bytes()) {
      return false;
    }
    for (int i = 0; i < its.size(); i++) {
      if (Math.abs(share(its, i) - share(others, i)) > most) {
        return false;
      }
    }
    return true;
  }

  /** A figure at the times of another one; between its points it goes straight. */
  private static List<Point> at(List<Point> times, List<Point> points) {
    List<Point> all = new ArrayList<>();
    int next = 0;
    for (Point time : times) {
      while (next < points.size() && !points.get(next).time().isAfter(time.time())) {
        next++;
      }
      all.add(new Point(time.time(), between(points, next, time)));
    }
    return all;
  }

  private static long between(List<Point> points, int next, Point time) {
    if (next == 0 || next == points.size()) {
      return next == 0 ? 0 : points.getLast().bytes();
    }
    Point before = points.get(next - 1);
    Point after = points.get(next);
    double share = seconds(before, time) / seconds(before, after);
    return before.bytes() + Math.round(share * (after.bytes() - before.bytes()));
  }

  private static double share(List<Point> all, int at) {
    long first = all.getFirst().bytes();
    return (double) (all.get(at).bytes() - first) / (all.getLast().bytes() - first);
  }

  /** Whether it rose for a while, and stopped when the run was nearly over, as work may. */
  private static boolean endsSoonAfter(List<Point> some) {
    double whole = seconds(some.getFirst(), some.getLast());
    double begins = seconds(some.getFirst(), reached(some, 0.1));
    double ends = seconds(some.getFirst(), reached(some, 0.9));
    return ends - begins >= STEP * whole
        && whole - ends <= Math.max(SHORT_END_SECONDS, whole / START_SHARE);
  }

  /** The first that has a share of the rise. */
  private static Point reached(List<Point> some, double share) {
    long first = some.getFirst().bytes();
    long rise = some.getLast().bytes() - first;
    return some.stream()
        .filter(point -> point.bytes() - first >= share * rise)
        .findFirst()
        .orElseThrow();
  }

  private static boolean risesToTheEnd(List<Point> some, double least) {
    for (int third = 1; third < THIRDS; third++) {
      int from = third * (some.size() - 1) / THIRDS;
      int to = (third + 1) * (some.size() - 1) / THIRDS;
      double[] slopes = slopes(some.subList(from, to + 1));
      if (slopes[slopes.length / 2] < least) {
        return false;
      }
    }
    return true;
  }

  /** What comes after the start of the run; null if that is too little to tell. */
  private static @Nullable List<Point> after(List<Point> points, double shortest) {
    if (points.size() < FEWEST) {
      return null;
    }
    double start =
        Math.min(LONGEST_START_SECONDS, seconds(points.getFirst(), points.getLast()) / START_SHARE);
    List<Point> all =
        points.stream().filter(point -> seconds(points.getFirst(), point) >= start).toList();
    return all.size() < FEWEST_AFTER || seconds(all.getFirst(), all.getLast()) <= shortest
        ? null
        : all;
  }

  /** Of the points of each thirtieth of the time the one in the middle, by its figure. */
  private static List<Point> joined(List<Point> all) {
    double step = seconds(all.getFirst(), all.getLast()) / MOST_POINTS;
    List<Point> joined = new ArrayList<>();
    for (int from = 0, to = 0; from < all.size(); from = to) {
      double end = (joined.isEmpty() ? 0 : seconds(all.getFirst(), all.get(from))) + step;
      while (to < all.size() && (to == from || seconds(all.getFirst(), all.get(to)) < end)) {
        to++;
      }
      List<Point> some = new ArrayList<>(all.subList(from, to));
      Instant time = some.get(some.size() / 2).time();
      some.sort(Comparator.comparingLong(Point::bytes));
      joined.add(new Point(time, some.get(some.size() / 2).bytes()));
    }
    return joined;
  }

  private static double seconds(Point from, Point to) {
    return Duration.between(from.time(), to.time()).toNanos() / 1e9;
  }

  public static long bytes(Account account, List<Part> group) {
    return group.stream().mapToLong(account::bytes).sum();
  }

  /** Between all pairs, a second, the least first. */
  private static double[] slopes(List<Point> all) {
    double[] slopes = new double[all.size() * (all.size() - 1) / 2];
    int count = 0;
    for (int i = 0; i < all.size(); i++) {
      for (int j = i + 1; j < all.size(); j++) {
        double seconds = seconds(all.get(i), all.get(j));
        if (seconds > 0) {
          slopes[count++] = (all.get(j).bytes() - all.get(i).bytes()) / seconds;
        }
      }
    }
    double[] sorted = Arrays.copyOf(slopes, Math.max(1, count));
    Arrays.sort(sorted);
    return sorted;
  }
}
