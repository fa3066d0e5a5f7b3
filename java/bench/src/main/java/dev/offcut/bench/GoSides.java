package dev.offcut.bench;

import java.util.Set;

/** What rows of the Go suite mean. They come from a program of its own, in {@code go/bench}. */
final class GoSides implements Sides {
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
