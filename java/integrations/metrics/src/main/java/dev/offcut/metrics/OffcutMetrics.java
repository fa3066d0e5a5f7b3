package dev.offcut.metrics;

import dev.offcut.metrics.Readings.Row;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles, pools, owners, budgets and what the agent counts, as meters of Micrometer.
 *
 * <pre>{@code
 * new OffcutMetrics().bindTo(registry);
 * }</pre>
 *
 * <p>The figures are read when the registry asks for a value, at most every half second. Between
 * scrapes nothing runs. What the program does not have, such as the agent, has no meters; {@code
 * offcut.source.present} says so. It has them as soon as it is there: a new pool or owner has its
 * meters in the scrape after the next one at the latest.
 *
 * <p><b>Lifetime.</b> The meters stay until {@link #close}, or until the registry ends.
 *
 * <p><b>Threads.</b> Any thread.
 */
public final class OffcutMetrics implements MeterBinder, AutoCloseable {
  private final int mostOwners;
  private final LongSupplier nanoTime;
  private final List<Binding> bindings = new ArrayList<>();

  /** Makes a binder with meters for the 20 largest owners. */
  public OffcutMetrics() {
    this(Source.OWNERS);
  }

  /**
   * Makes a binder.
   *
   * @param mostOwners how many owners have meters of their own, those with most memory; all others
   *     together are the owner {@code other}. The same holds for the holders of each budget
   * @throws IllegalArgumentException if {@code mostOwners} is negative
   */
  public OffcutMetrics(int mostOwners) {
    this(mostOwners, System::nanoTime);
  }

  OffcutMetrics(int mostOwners, LongSupplier nanoTime) {
    this.mostOwners = Source.notNegative(mostOwners);
    this.nanoTime = nanoTime;
  }

  /**
   * Adds the meters to a registry, which must not have them yet.
   *
   * @param registry the registry
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    Binding binding = new Binding(registry, new Readings(Source.all(mostOwners), nanoTime));
    synchronized (bindings) {
      bindings.add(binding);
    }
    binding.readings.begin(binding);
  }

  /** Removes the meters from all registries that this binder added them to. */
  @Override
  public void close() {
    List<Binding> ending;
    synchronized (bindings) {
      ending = new ArrayList<>(bindings);
      bindings.clear();
    }
    ending.forEach(binding -> binding.readings.end());
  }

  /**
   * The meters of one registry. Micrometer refers weakly to what a meter is about, and strongly to
   * its function: so the meters are about the registry, and their functions keep the readings.
   */
  private record Binding(MeterRegistry registry, Readings readings) implements Readings.Exporter {
    @Override
    public void added(Row row) {
      Metric metric = row.metric();
      String unit = unit(metric);
      row.exported =
          metric.kind == Metric.Kind.COUNTER
              ? FunctionCounter.builder(metric.id, registry, any -> readings.value(row))
                  .tags(tags(row))
                  .baseUnit(unit)
                  .description(metric.meaning)
                  .register(registry)
              : Gauge.builder(metric.id, registry, any -> readings.value(row))
                  .tags(tags(row))
                  .baseUnit(unit)
                  .description(metric.meaning)
                  .register(registry);
    }

    @Override
    public void removed(Row row) {
      if (row.exported instanceof Meter meter) {
        registry.remove(meter);
      }
    }

    /** In words, as Micrometer has them; numbers of things have none, or names would end twice. */
    private static @Nullable String unit(Metric metric) {
      return switch (metric.unit) {
        case Metric.BYTES -> "bytes";
        case Metric.SECONDS -> "seconds";
        default -> null;
      };
    }

    private static Tags tags(Row row) {
      List<Tag> tags = new ArrayList<>();
      row.labels((label, value) -> tags.add(Tag.of(label, value)));
      return Tags.of(tags);
    }
  }
}
