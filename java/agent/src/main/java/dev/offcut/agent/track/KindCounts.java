package dev.offcut.agent.track;

/**
 * The counts of a kind, all bytes but the last two of what is or was open: closed is by the
 * program, collected is late, lost is never. The proof is the label of a {@link Proof.State}.
 */
public record KindCounts(
    String kind,
    long opened,
    long closed,
    long collected,
    long lost,
    long openedBytes,
    long lostBytes,
    long bytes,
    long peakBytes,
    String proof) {
  static KindCounts of(String kind, long[] numbers, String proof) {
    // Of finalizers of objects that were there before the agent nobody knows.
    boolean finalizer = kind.equals(Kind.name(Kind.FINALIZER));
    long collected = numbers[Counts.COLLECTED];
    return new KindCounts(
        kind,
        numbers[Counts.OPENED],
        numbers[Counts.CLOSED],
        finalizer ? Math.min(collected, numbers[Counts.OPENED]) : collected,
        numbers[Counts.LOST],
        numbers[Counts.OPENED_BYTES],
        numbers[Counts.LOST_BYTES],
        numbers[7],
        numbers[8],
        proof);
  }

  /** How many are open. */
  public long open() {
    return opened - closed - collected - lost;
  }
}
