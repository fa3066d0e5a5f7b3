package dev.offcut.cli.digest;

import dev.offcut.account.Account;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

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

  /** The last one. */
  Account last() {
    return all.getLast().account();
  }

  /** The one with the most resident memory. */
  Account peak() {
    return all.stream()
        .map(Taken::account)
        .max(Comparator.comparingLong(Account::resident))
        .orElseThrow();
  }
}
