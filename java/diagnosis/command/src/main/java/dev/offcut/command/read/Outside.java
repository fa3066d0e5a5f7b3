package dev.offcut.command.read;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a program beside what it records or its agent publishes.
 *
 * @param accounts of its resident memory; null if there are none
 * @param callers of malloc; null if nobody asked for them
 * @param holders of open resources; null if nobody asked for them
 * @param told of a program that records, what its recording lacks and its tables have: which
 *     classes nobody counts, and what the agent does by now
 */
public record Outside(
    @Nullable Accounts accounts,
    @Nullable NativeCallers callers,
    @Nullable Holders holders,
    List<Fields> told) {
  /** Nothing. */
  public static final Outside NOTHING = new Outside(null, null, null, List.of());

  /** Whether nothing is known. A record's own {@code equals} is linked at its first call: 7 ms. */
  boolean isNothing() {
    return accounts == null && callers == null && holders == null && told.isEmpty();
  }

  /** What lies beside a recording, or tables. */
  static Outside beside(Path source) throws Failure {
    Path archive = RunArchive.beside(source);
    return new Outside(
        AccountsFile.beside(source),
        archive == null ? NativeCallers.beside(source) : RunArchive.callers(archive),
        archive == null ? null : RunArchive.holders(archive),
        archive == null || Tables.isAt(source) ? List.of() : RunArchive.told(archive));
  }

  void tell(DigestBuilder builder) {
    told.forEach(builder::take);
    if (accounts != null) {
      builder.accounts(accounts);
    }
    if (callers != null) {
      builder.callers(callers);
    }
    if (holders != null) {
      builder.holders(holders);
    }
  }
}
