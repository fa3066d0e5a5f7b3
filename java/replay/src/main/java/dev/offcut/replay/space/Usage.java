package dev.offcut.replay.space;

/**
 * How a space is used, in words: {@code used ≤ handedOut ≤ committed ≤ capacity}.
 *
 * @param capacity reserved: the size of class space, the sum of the nodes elsewhere
 * @param committed reserved and backed by memory
 * @param handedOut in chunks that arenas have
 * @param used in blocks inside those chunks, without headers and tails
 * @param largestFree the largest free chunk, or run that no chunk was cut from yet
 * @param alignment in free chunks that were cut for alignment only and not used since
 * @param alignmentMax the most {@code alignment} has been so far
 */
public record Usage(
    long capacity,
    long committed,
    long handedOut,
    long used,
    long largestFree,
    long alignment,
    long alignmentMax) {
  /** What no arena has. */
  public long free() {
    return capacity - handedOut;
  }

  /** Of the capacity, in percent. */
  public double percent(long words) {
    return capacity == 0 ? 0 : 100.0 * words / capacity;
  }
}
