package dev.offcut.agent.base.concurrent;

/**
 * The blocks of a kind that are open, by address: how large each is, which who frees one does not
 * say, and where it was opened. An address that is not there was opened before the agent came, or
 * elsewhere, and counts for nothing.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
final class Blocks {
  /** Of what stands for an address, the token: there are fewer sites than 2^15. */
  private static final int TOKEN_BITS = 16;

  private final AddressTable open = new AddressTable();
  private final int kind;

  Blocks(int kind) {
    this.kind = kind;
  }

  /** One was opened, or not: then the address is 0. */
  void opened(long address, long bytes) {
    if (address != 0) {
      put(address, bytes, Samples.opened(kind, bytes));
    }
  }

  private void put(long address, long bytes, int token) {
    open.put(address, bytes << TOKEN_BITS | token); // without memory it will count as open
  }

  /** One is about to be freed: late, or by the program. */
  void freeing(long address, boolean late) {
    ended(take(address), late);
  }

  private void ended(long found, boolean late) {
    if (found != 0) {
      long bytes = found >>> TOKEN_BITS;
      int counted = Probes.kind(kind, token(found));
      if (late) {
        Counts.collected(counted, bytes);
      } else {
        Counts.closed(counted, bytes);
      }
      Sites.ended(token(found), late ? Counts.COLLECTED : Counts.CLOSED, bytes);
    }
  }

  /** One is about to become another, or none: what stands for it, or 0. There is none at 0. */
  long take(long address) {
    return address == 0 ? 0 : open.remove(address);
  }

  /** One that was taken has stayed as it was. */
  void putBack(long address, long found) {
    if (found != 0) {
      open.put(address, found);
    }
  }

  /** One that was taken, or none, has become another, which may be none. */
  void moved(long found, long to, long bytes) {
    if (to == 0) {
      ended(found, false);
    } else if (found == 0) {
      opened(to, bytes);
    } else {
      long before = found >>> TOKEN_BITS;
      int token = token(found);
      boolean isNext = Samples.resized(Probes.kind(kind, token), before, bytes);
      if (token == 0 && (isNext || Samples.isLarge(before, bytes))) {
        token = Sites.takeLate(kind);
        Sites.opened(token, bytes);
      } else {
        token = Sites.resized(token, before, bytes);
      }
      put(to, bytes, token);
    }
  }

  private static int token(long found) {
    return (int) found & ((1 << TOKEN_BITS) - 1);
  }
}
