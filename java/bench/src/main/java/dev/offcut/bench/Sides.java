package dev.offcut.bench;

import java.util.Set;

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

  /** What rows of the Go suite mean. They come from a program of its own, in {@code go/bench}. */
  static final class GoSides implements Sides {
    /** Work without a net, and the same call on addresses in another order. */
    private static final Set<String> BASELINES =
        Set.of("direct", "plain", "alloc", "ascending", "descending");

    @Override
    public String name() {
      return Suites.GO;
    }

    /** How a profile is split, and how often the collector ran, is neither good nor bad. */
    @Override
    public Better better(String metric) {
      return metric.endsWith("_percent") || metric.equals("gc_cycles")
          ? Better.NEITHER
          : Better.LOWER;
    }

    @Override
    public boolean isOurs(String impl) {
      return impl.startsWith("offcut");
    }

    @Override
    public boolean isPeer(String impl) {
      return !isOurs(impl) && !BASELINES.contains(impl);
    }
  }
}
