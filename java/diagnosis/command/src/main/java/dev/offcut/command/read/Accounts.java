package dev.offcut.command.read;

import dev.offcut.resident.Account;
import dev.offcut.resident.Part;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Accounts of a program's resident memory, in the order in which they were taken.
 *
 * @param all never empty
 */
public record Accounts(List<Taken> all) {
  /**
   * An account, and when it was taken.
   *
   * @param atEnd whether the program waited for it before it ended: nothing came after
   */
  public record Taken(Instant time, Account account, boolean atEnd) {
    /** One that was taken while the program ran. */
    public Taken(Instant time, Account account) {
      this(time, account, false);
    }
  }

  public Account last() {
    return all.getLast().account();
  }

  Account peak() {
    return all.stream()
        .map(Taken::account)
        .max(Comparator.comparingLong(Account::resident))
        .orElseThrow();
  }

  /** Points of a picture; more cannot be told apart. */
  private static final int MOST_POINTS = 240;

  /** By part. {@code seconds}: those of the program at a time. */
  Series.Account overTime(ToDoubleFunction<Instant> seconds) {
    List<Taken> points = points();
    List<Series.Row> rows = new ArrayList<>();
    for (Part part : Part.values()) {
      List<Long> bytes = points.stream().map(taken -> taken.account().bytes(part)).toList();
      if (bytes.stream().anyMatch(known -> known > 0)) {
        rows.add(new Series.Row(part.title(), bytes));
      }
    }
    return new Series.Account(
        points.stream().map(taken -> Math.max(0, seconds.applyAsDouble(taken.time()))).toList(),
        points.stream().map(taken -> taken.account().resident()).toList(),
        points.stream().map(taken -> taken.account().threads()).toList(),
        rows);
  }

  /** All, or evenly spread ones with the first, the last and the peak. */
  private List<Taken> points() {
    int step = (all.size() + MOST_POINTS - 1) / MOST_POINTS;
    long peak = peak().resident();
    List<Taken> points = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (i % step == 0 || i == all.size() - 1 || all.get(i).account().resident() == peak) {
        points.add(all.get(i));
      }
    }
    return points;
  }
}
