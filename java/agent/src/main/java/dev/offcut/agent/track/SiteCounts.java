package dev.offcut.agent.track;

/** The counts of a place, as those of a kind: estimated from stacks that were taken. */
public record SiteCounts(
    String kind,
    String frames,
    long opened,
    long closed,
    long collected,
    long lost,
    long bytes,
    long lostBytes,
    long samples) {

  /** What does not change of them. */
  record Place(String kind, String frames) {}

  Place place() {
    return new Place(kind, frames);
  }

  static SiteCounts of(int kind, String frames, long[] numbers) {
    long rest =
        numbers[Counts.OPENED_BYTES] - numbers[Counts.FREED_BYTES] - numbers[Counts.LOST_BYTES];
    return new SiteCounts(
        Kind.name(kind),
        frames,
        numbers[Counts.OPENED],
        numbers[Counts.CLOSED],
        numbers[Counts.COLLECTED],
        numbers[Counts.LOST],
        Math.max(0, rest),
        numbers[Counts.LOST_BYTES],
        numbers[Site.SAMPLES]);
  }

  /** Both together, of which this one has the frames. */
  SiteCounts plus(SiteCounts other) {
    return new SiteCounts(
        kind,
        frames,
        opened + other.opened,
        closed + other.closed,
        collected + other.collected,
        lost + other.lost,
        bytes + other.bytes,
        lostBytes + other.lostBytes,
        samples + other.samples);
  }

  /** How many are open. */
  public long open() {
    return opened - closed - collected - lost;
  }
}
