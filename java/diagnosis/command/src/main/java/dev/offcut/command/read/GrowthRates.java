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
 * <p>The rate is the median of the rates between all pairs of points, which single points do not
 * move. A figure grows if nine in ten of these rates are above zero, and if it still rose in the
 * second half: what a program loads at its start is no growth.
 */
public final class GrowthRates {
  /** A figure at a time. */
  public record Point(Instant time, long bytes) {}

  private static final int FEWEST = 5;
  private static final Duration SHORTEST = Duration.ofSeconds(40);

  /** Whether accounts at these times, in seconds, would show that a part grows. */
  public static boolean isLongEnough(List<Double> times) {
    return times.size() >= FEWEST && times.getLast() - times.getFirst() >= SHORTEST.toSeconds();
  }

  /** Of what the agent counts, each second and exactly. */
  public static final Duration SHORTEST_COUNTED = Duration.ofSeconds(10);

  /** Less is nobody's concern, and less than this share of what is resident. */
  private static final long LEAST_BYTES = 16L << 20;

  private static final int LEAST_SHARE = 20;

  /** Fewer objects more are nobody's concern: a cache that fills, a pool. */
  private static final long FEWEST_OBJECTS = 1_000;

  /** The second half has at least this share of the whole rate. */
  private static final int LATE_SHARE = 3;

  /** Of more points than this some are left out: pairs are many. */
  private static final int MOST_POINTS = 100;

  private static final double TENTH = 0.1;
  private static final double NANOS_A_MINUTE = 60e9;

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

  /** All parts that do, the fastest first. */
  public static List<Digest.Growth> of(Accounts accounts) {
    List<Digest.Growth> all = new ArrayList<>();
    for (List<Part> group : GROUPS) {
      Digest.Growth growth =
          of(
              group.get(0).title(),
              points(accounts, account -> bytes(account, group)),
              SHORTEST,
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
      Digest.Growth growth = of(kind.kind(), points, SHORTEST_COUNTED, least(memory.resident()));
      // What is lost is a finding by itself.
      if (growth != null && kind.bytes() >= least(memory.resident())) {
        all.add(growth);
        inMalloc += Kinds.isInMalloc(kind.kind()) ? growth.bytes() : 0;
      }
    }
    for (Digest.Growth growth : memory.growing()) {
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

  /**
   * Of the number of open objects of a class that a rule names; null if it does not grow by so many
   * that it matters.
   */
  public static Digest.@Nullable Growth ofObjects(String kind, Timeline timeline) {
    return of(kind, timeline.open(kind), SHORTEST_COUNTED, FEWEST_OBJECTS);
  }

  /** Of the number of threads; null if it does not grow by so many. */
  public static Digest.@Nullable Growth ofThreads(Accounts accounts, long fewest) {
    return of("threads", points(accounts, Account::threads), SHORTEST, fewest);
  }

  /** Of the number of file descriptors; null if it does not grow by so many. */
  public static Digest.@Nullable Growth ofDescriptors(Accounts accounts, long fewest) {
    return of(
        "file descriptors",
        points(accounts, account -> account.descriptors().open()),
        SHORTEST,
        fewest);
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

  public static Digest.@Nullable Growth of(
      String names, List<Point> points, Duration shortest, long leastBytes) {
    if (points.size() < FEWEST) {
      return null;
    }
    Duration over = Duration.between(points.getFirst().time(), points.getLast().time());
    long bytes = points.getLast().bytes() - points.getFirst().bytes();
    if (over.compareTo(shortest) < 0 || bytes < leastBytes) {
      return null;
    }
    double[] rates = rates(points);
    double[] late = rates(secondHalf(points));
    double rate = at(rates, 0.5);
    double least = at(rates, TENTH);
    return least > 0 && late.length > 0 && at(late, 0.5) > rate / LATE_SHARE
        ? new Digest.Growth(
            names,
            bytes,
            over.toMillis() / 1000.0,
            Math.round(rate),
            Math.round(least),
            Math.round(at(rates, 1 - TENTH)))
        : null;
  }

  private static List<Point> secondHalf(List<Point> points) {
    Duration over = Duration.between(points.getFirst().time(), points.getLast().time());
    Instant middle = points.getFirst().time().plus(over.dividedBy(2));
    return points.stream().filter(point -> !point.time().isBefore(middle)).toList();
  }

  /** The sum of some parts. */
  public static long bytes(Account account, List<Part> group) {
    return group.stream().mapToLong(account::bytes).sum();
  }

  /** Between all pairs, in order; bytes a minute. */
  private static double[] rates(List<Point> all) {
    List<Double> rates = new ArrayList<>();
    int step = Math.max(1, all.size() / MOST_POINTS);
    for (int i = 0; i < all.size(); i += step) {
      for (int j = i + step; j < all.size(); j += step) {
        long nanos = Duration.between(all.get(i).time(), all.get(j).time()).toNanos();
        if (nanos > 0) {
          rates.add((all.get(j).bytes() - all.get(i).bytes()) / (nanos / NANOS_A_MINUTE));
        }
      }
    }
    double[] sorted = rates.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }

  private static double at(double[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[(int) ((sorted.length - 1) * share)];
  }
}
