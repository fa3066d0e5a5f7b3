package dev.offcut.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** A registry with the meters, on a clock of its own: each scrape is a reading. */
final class Scrapes implements AutoCloseable {
  private static final long SECOND = 1_000_000_000;

  private final AtomicLong clock = new AtomicLong();
  final MeterRegistry registry = new SimpleMeterRegistry();
  final OffcutMetrics metrics;

  Scrapes(int mostOwners) {
    metrics = new OffcutMetrics(mostOwners, clock::get);
    metrics.bindTo(registry);
  }

  /**
   * All values, by {@code name{label=value,…}}: of the second scrape, as new rows are there then.
   */
  Map<String, Double> scrape() {
    clock.addAndGet(SECOND);
    values();
    return values();
  }

  /** The values of a scrape while the last reading is fresh. */
  Map<String, Double> values() {
    Map<String, Double> values = new TreeMap<>();
    for (Meter meter : registry.getMeters()) {
      StringBuilder name = new StringBuilder(meter.getId().getName());
      char before = '{';
      for (Tag tag : meter.getId().getTags()) {
        name.append(before).append(tag.getKey()).append('=').append(tag.getValue());
        before = ',';
      }
      values.put(
          name.append('}').toString(),
          meter instanceof FunctionCounter counter ? counter.count() : ((Gauge) meter).value());
    }
    return values;
  }

  @Override
  public void close() {
    metrics.close();
    registry.close();
  }
}
