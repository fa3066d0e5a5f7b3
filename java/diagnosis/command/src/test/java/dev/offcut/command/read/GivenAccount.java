package dev.offcut.command.read;

import dev.offcut.resident.Account;
import dev.offcut.resident.Account.Container;
import dev.offcut.resident.Account.Group;
import dev.offcut.resident.Account.Row;
import dev.offcut.resident.Bound;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Accounts of a process that has nothing but what a test gives it; malloc has one arena. */
public final class GivenAccount {
  private GivenAccount() {}

  /** That nobody explains, at a time. */
  public static Accounts.Taken taken(Instant at, long resident) {
    return new Accounts.Taken(at, of(new Row(Part.UNEXPLAINED, "", resident)));
  }

  public static Account of(Row... rows) {
    return of(1, List.of(), Descriptors.UNKNOWN, List.of(rows));
  }

  public static Account of(
      int threads, List<Group> loaders, Descriptors descriptors, List<Row> rows) {
    return of(threads, loaders, descriptors, rows, null, List.of());
  }

  public static Account of(
      int threads, List<Row> rows, @Nullable Container container, List<Bound> bounds) {
    return of(threads, List.of(), Descriptors.UNKNOWN, rows, container, bounds);
  }

  private static Account of(
      int threads,
      List<Group> loaders,
      Descriptors descriptors,
      List<Row> rows,
      @Nullable Container container,
      List<Bound> bounds) {
    long resident = rows.stream().mapToLong(Row::bytes).sum();
    return new Account(
        resident,
        0,
        rows,
        -1,
        0,
        threads,
        1,
        container,
        List.of(),
        loaders,
        descriptors,
        bounds,
        List.of());
  }
}
