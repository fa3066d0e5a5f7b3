package dev.offcut.command.read;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a program beside what it records or its agent publishes.
 *
 * @param accounts of its resident memory; null if there are none
 * @param callers of malloc; null if nobody asked for them
 * @param holders of open resources; null if nobody asked for them
 */
public record Outside(
    @Nullable Accounts accounts, @Nullable NativeCallers callers, @Nullable Holders holders) {
  public static final Outside NOTHING = new Outside(null, null, null);

  void tell(DigestBuilder builder) {
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
