package dev.offcut.bench;

/**
 * What rows of a suite mean: which are ours, which a peer's, and whether less or more is better.
 */
public interface Sides {
  /** The suite, as on the command line and in the JSON. */
  String name();

  /** What is better in a metric. */
  Better better(String metric);

  /** Whether the implementation is one that ours is compared with. A baseline is not. */
  boolean isPeer(String impl);

  /** Whether the implementation is ours. */
  boolean isOurs(String impl);

  /** The direction of a metric. */
  enum Better {
    /** As a time or a size. */
    LOWER,
    /** As a throughput. */
    HIGHER,
    /** Says something about the measurement itself. */
    NEITHER
  }
}
