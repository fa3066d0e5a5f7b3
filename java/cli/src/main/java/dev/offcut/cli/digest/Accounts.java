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
  /** An account, and when it was taken. */
  public record Taken(Instant time, Account account) {}

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
