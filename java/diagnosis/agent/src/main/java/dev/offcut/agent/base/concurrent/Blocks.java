package dev.offcut.agent.base.concurrent;

/**
 * The blocks of a kind that are open, by address: how large each is, which who frees one does not
 * say, and where it was opened. An address that is not there was opened before the agent came, or
 * elsewhere, and counts for nothing.
 *
 * <p>All kinds have one table, since an address is open at most once, whatever opened it. A block
 * that is freed ends as the kind that it was opened as. If an address is opened again while it is
 * in the table, native code freed the block before, which the agent does not see. That block counts
 * as closed, {@linkplain Counts#unseen unseen}.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
final class Blocks {
  /** Of what stands for an address, the token: there are fewer sites than 2^15. */
  private static final int TOKEN_BITS = 16;

  /** Then the kind, of which none is 0 here: so that no block is, whatever its size. */
  private static final int KIND_BITS = 4;

  /** Then whether a library made it for itself, so that nobody else can free it. */
  private static final long OF_LIBRARY = 1L << (TOKEN_BITS + KIND_BITS);

  private static final int FLAGS = 1;

  private static final AddressTable OPEN = new AddressTable();

  private final int kind;

  Blocks(int kind) {
    this.kind = kind;
  }

  /** One was opened, or not: then the address is 0. */
  void opened(long address, long bytes) {
    opened(address, bytes, false);
  }

  /** Likewise. {@code ofLibrary}: it is a library's own, for which the collector is in time. */
  void opened(long address, long bytes, boolean ofLibrary) {
    if (address != 0) {
      int token = Samples.opened(kind, bytes);
      put(address, bytes, kind, token, ofLibrary ? OF_LIBRARY : 0);
    }
  }

  private static void put(long address, long bytes, int kind, int token, long flag) {
    long number = ((bytes << (FLAGS + KIND_BITS)) | kind) << TOKEN_BITS | token | flag;
    unseen(OPEN.put(address, number)); // without memory it will count as open
  }

  private static void unseen(long before) {
    if (before != 0) {
      Counts.unseen(counted(before), bytes(before));
      Sites.ended(token(before), Counts.CLOSED, bytes(before));
    }
  }

  /** One is about to be freed: late, or by the program. */
  void freeing(long address, boolean late) {
    ended(take(address), late);
  }

  private static void ended(long found, boolean byCollector) {
    if (found != 0) {
      boolean late = byCollector && (found & OF_LIBRARY) == 0;
      if (late) {
        Counts.collected(counted(found), bytes(found));
      } else {
        Counts.closed(counted(found), bytes(found));
      }
      Sites.ended(token(found), late ? Counts.COLLECTED : Counts.CLOSED, bytes(found));
    }
  }

  /** One is about to become another, or none: what stands for it, or 0. There is none at 0. */
  long take(long address) {
    return address == 0 ? 0 : OPEN.remove(address);
  }

  /** One that was taken has stayed as it was. */
  void putBack(long address, long found) {
    if (found != 0) {
      OPEN.put(address, found);
    }
  }

  /** One that was taken, or none, has become another, which may be none. */
  void moved(long found, long to, long bytes) {
    if (to == 0) {
      ended(found, false);
    } else if (found == 0) {
      opened(to, bytes);
    } else {
      int its = kind(found);
      int token = token(found);
      Samples.resized(Probes.kind(its, token), bytes(found), bytes);
      if (token == Probes.TOKEN || Scope.has(token)) {
        Sites.resized(token, bytes(found), bytes); // a test asks where the block was opened first
      } else {
        Sites.withdrawn(token, bytes(found));
        token = Samples.reopened(its, token, bytes);
      }
      put(to, bytes, its, token, 0);
    }
  }

  private static long bytes(long found) {
    return found >>> (FLAGS + KIND_BITS + TOKEN_BITS);
  }

  private static int kind(long found) {
    return (int) (found >>> TOKEN_BITS) & ((1 << KIND_BITS) - 1);
  }

  /** The kind that it counts as, which is another one of a probe. */
  private static int counted(long found) {
    return Probes.kind(kind(found), token(found));
  }

  private static int token(long found) {
    return (int) found & ((1 << TOKEN_BITS) - 1);
  }
}
