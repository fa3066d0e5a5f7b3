package dev.offcut.bench.longmap;

/**
 * A walk through recorded addresses, in the order of their allocation, that never comes back to
 * one. Where the recording ends, it goes on with the same recording below all others of it: as if
 * the process had gone on to allocate in the same manner, in fresh memory.
 */
final class Walk {
  private final long[] recorded;
  private final long span;
  private long below;
  private int at;

  /** {@code span} is that of all addresses in use, so that no two of them ever meet. */
  Walk(long[] recorded, long span) {
    this.recorded = recorded;
    this.span = span;
  }

  /** Another walk along the same way, from its start. */
  Walk again() {
    return new Walk(recorded, span);
  }

  long next() {
    if (at == recorded.length) {
      at = 0;
      below += span;
    }
    return recorded[at++] - below;
  }
}
