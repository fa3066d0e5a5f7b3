package dev.offcut.cli.digest;

import dev.offcut.account.Account;
import dev.offcut.account.Part;
import dev.offcut.cli.digest.Accounts.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of resident memory that rose over a run, by accounts of it.
 *
 * <p>The rate is the median of the rates between all pairs of accounts, which single accounts do
 * not move. A part grows if nine in ten of these rates are above zero, and if it still rose in the
 * second half: what a program loads at its start is no growth.
 */
final class GrowthRates {
  private static final int FEWEST = 5;
  private static final Duration SHORTEST = Duration.ofSeconds(40);

  /** Less is nobody's concern, and less than this share of what is resident. */
  private static final long LEAST_BYTES = 16L << 20;

  private static final int LEAST_SHARE = 20;

  /** The second half has at least this share of the whole rate. */
  private static final int LATE_SHARE = 3;

  /** Of more accounts than this some are left out: pairs are many. */
  private static final int MOST_POINTS = 100;

  private static final double TENTH = 0.1;
  private static final double NANOS_A_MINUTE = 60e9;

  /** What is told together, under the first one's name. Collectors decide on the heap. */
  private static final List<List<Part>> GROUPS =
      List.of(
          List.of(Part.MALLOC_USED, Part.MALLOC_JVM),
          List.of(Part.METASPACE, Part.CLASS_SPACE),
          List.of(Part.STACKS),
          List.of(Part.POOLS),
          List.of(Part.ALLOCATOR),
          List.of(Part.FILES),
          List.of(Part.SHARED),
          List.of(Part.UNEXPLAINED));

  private GrowthRates() {}

  /** All there are, the fastest first. */
  static List<Digest.Growth> of(Accounts accounts) {
    List<Digest.Growth> all = new ArrayList<>();
    for (List<Part> group : GROUPS) {
      Digest.Growth growth = of(accounts.all(), group);
      if (growth != null) {
        all.add(growth);
      }
    }
    all.sort(Comparator.comparingLong(Digest.Growth::rate).reversed());
    return all;
  }

  private static Digest.@Nullable Growth of(List<Taken> all, List<Part> group) {
    Duration over = Duration.between(all.getFirst().time(), all.getLast().time());
    if (all.size() < FEWEST || over.compareTo(SHORTEST) < 0) {
      return null;
    }
    long bytes = bytes(all.getLast(), group) - bytes(all.getFirst(), group);
    long resident = all.getLast().account().resident();
    if (bytes < LEAST_BYTES || bytes < resident / LEAST_SHARE) {
      return null;
    }
    double[] rates = rates(all, group);
    double[] late = rates(secondHalf(all), group);
    double rate = at(rates, 0.5);
    double least = at(rates, TENTH);
    return least > 0 && late.length > 0 && at(late, 0.5) > rate / LATE_SHARE
        ? new Digest.Growth(
            group.get(0).title(),
            bytes,
            over.toMillis() / 1000.0,
            Math.round(rate),
            Math.round(least),
            Math.round(at(rates, 1 - TENTH)))
        : null;
  }

  private static List<Taken> secondHalf(List<Taken> all) {
    Duration over = Duration.between(all.getFirst().time(), all.getLast().time());
    var middle = all.getFirst().time().plus(over.dividedBy(2));
    return all.stream().filter(taken -> !taken.time().isBefore(middle)).toList();
  }

  private static long bytes(Taken taken, List<Part> group) {
    Account account = taken.account();
    return account.rows().stream()
        .filter(row -> Set.copyOf(group).contains(row.part()))
        .mapToLong(Account.Row::bytes)
        .sum();
  }

  /** Between all pairs, in order; bytes a minute. */
  private static double[] rates(List<Taken> all, List<Part> group) {
    List<Double> rates = new ArrayList<>();
    int step = Math.max(1, all.size() / MOST_POINTS);
    for (int i = 0; i < all.size(); i += step) {
      for (int j = i + step; j < all.size(); j += step) {
        long nanos = Duration.between(all.get(i).time(), all.get(j).time()).toNanos();
        if (nanos > 0) {
          long more = bytes(all.get(j), group) - bytes(all.get(i), group);
          rates.add(more / (nanos / NANOS_A_MINUTE));
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
