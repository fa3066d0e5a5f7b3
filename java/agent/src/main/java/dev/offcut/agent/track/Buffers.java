package dev.offcut.agent.track;

/**
 * Direct buffers: what their class calls when one has its memory, and before that is freed.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class Buffers {
  /** In a program that had some already, all: theirs do not count. */
  private static final boolean LATE = Boolean.parseBoolean(Told.LATE);

  private static final Blocks ALL = new Blocks(Kind.BUFFER);

  /** Else those whose opening left its stack: that a buffer is freed tells its size. */
  private static final AddressTable SAMPLED = new AddressTable();

  private static final Class<?> HANDLER = handler();

  private Buffers() {}

  private static Class<?> handler() {
    try {
      return Class.forName("java.lang.ref.Reference$ReferenceHandler", false, null);
    } catch (ClassNotFoundException e) {
      return Void.class; // no thread's class: then all count as closed
    }
  }

  /** One got its memory. */
  public static void opened(long address, long bytes) {
    if (LATE) {
      ALL.opened(address, bytes);
      return;
    }
    int token = Samples.opened(Kind.BUFFER, bytes);
    if (token != 0) {
      SAMPLED.put(address, token);
    }
  }

  /** One is about to be freed: by the collector's thread, or by the program. */
  public static void freeing(long address, long bytes) {
    boolean late = Thread.currentThread().getClass() == HANDLER;
    if (LATE) {
      ALL.freeing(address, late);
      return;
    }
    if (late) {
      Counts.collected(Kind.BUFFER, bytes);
    } else {
      Counts.closed(Kind.BUFFER, bytes);
    }
    if (Samples.EVERY != 0) {
      int token = (int) SAMPLED.remove(address);
      Sites.ended(token, late ? Counts.COLLECTED : Counts.CLOSED, bytes);
    }
  }
}
