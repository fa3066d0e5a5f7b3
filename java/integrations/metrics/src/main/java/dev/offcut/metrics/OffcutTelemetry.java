package dev.offcut.metrics;

import dev.offcut.metrics.Readings.Row;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.DoubleGaugeBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Handles, pools, owners, budgets and what the agent counts, as instruments of OpenTelemetry.
 *
 * <pre>{@code
 * OffcutTelemetry metrics = OffcutTelemetry.observe(openTelemetry);
 * }</pre>
 *
 * <p>The instruments are asynchronous: the figures are read when metrics are collected, at most
 * every half second. Between collections nothing runs. Bytes and numbers of open things are
 * up-down-counters, as {@code jvm.memory.used} is one. What the program does not have, such as the
 * agent, has no points; {@code offcut.source.present} says so.
 *
 * <p><b>Lifetime.</b> The instruments are observed until {@link #close}, or until the SDK ends.
 *
 * <p><b>Threads.</b> Any thread.
 */
public final class OffcutTelemetry implements AutoCloseable {
  private static final String SCOPE = "dev.offcut.metrics";

  private final BatchCallback callback;

  private OffcutTelemetry(BatchCallback callback) {
    this.callback = callback;
  }

  /**
   * Observes, with points for the 20 largest owners.
   *
   * @param telemetry gets the instruments, which it must not have yet
   * @return the observation
   */
  public static OffcutTelemetry observe(OpenTelemetry telemetry) {
    return observe(telemetry, Source.OWNERS);
  }

  /**
   * Observes.
   *
   * @param telemetry gets the instruments, which it must not have yet
   * @param mostOwners how many owners have points of their own, those with most memory; all others
   *     together are the owner {@code other}. The same holds for the holders of each budget
   * @return the observation
   * @throws IllegalArgumentException if {@code mostOwners} is negative
   */
  public static OffcutTelemetry observe(OpenTelemetry telemetry, int mostOwners) {
    return observe(telemetry, mostOwners, System::nanoTime);
  }

  static OffcutTelemetry observe(OpenTelemetry telemetry, int mostOwners, LongSupplier nanoTime) {
    Readings readings = new Readings(Source.all(mostOwners), nanoTime);
    Meter meter = telemetry.getMeter(SCOPE);
    Map<Metric, ObservableMeasurement> instruments = new EnumMap<>(Metric.class);
    for (Metric metric : Metric.values()) {
      instruments.put(metric, instrument(meter, metric));
    }
    List<ObservableMeasurement> all = List.copyOf(instruments.values());
    return new OffcutTelemetry(
        meter.batchCallback(
            new Points(readings, instruments),
            all.get(0),
            all.subList(1, all.size()).toArray(new ObservableMeasurement[0])));
  }

  /** Ages are measured; all else is counted. */
  private static ObservableMeasurement instrument(Meter meter, Metric metric) {
    if (metric.kind == Metric.Kind.COUNTER) {
      return meter
          .counterBuilder(metric.id)
          .setUnit(metric.unit)
          .setDescription(metric.meaning)
          .buildObserver();
    }
    if (!isMeasured(metric)) {
      return meter
          .upDownCounterBuilder(metric.id)
          .setUnit(metric.unit)
          .setDescription(metric.meaning)
          .buildObserver();
    }
    DoubleGaugeBuilder gauge = meter.gaugeBuilder(metric.id);
    return gauge.setUnit(metric.unit).setDescription(metric.meaning).buildObserver();
  }

  private static boolean isMeasured(Metric metric) {
    return metric.unit.equals(Metric.SECONDS);
  }

  /** Ends the observation. Further calls do nothing. */
  @Override
  public void close() {
    callback.close();
  }

  /** Records all rows at each collection. */
  private record Points(Readings readings, Map<Metric, ObservableMeasurement> instruments)
      implements Runnable {
    @Override
    public void run() {
      readings.look();
      for (Row row : readings.rows()) {
        record(row, Objects.requireNonNull(instruments.get(row.metric())));
      }
    }

    private void record(Row row, ObservableMeasurement instrument) {
      double value = readings.value(row);
      if (Double.isNaN(value)) {
        return;
      }
      AttributesBuilder attributes = Attributes.builder();
      row.labels(attributes::put);
      // By the metric: the SDK's instruments are of both types.
      if (isMeasured(row.metric())) {
        ((ObservableDoubleMeasurement) instrument).record(value, attributes.build());
      } else {
        ((ObservableLongMeasurement) instrument).record((long) value, attributes.build());
      }
    }
  }
}
