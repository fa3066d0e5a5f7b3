package dev.offcut.metrics;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** By Micrometer. */
final class MicrometerExport implements ExportProgram.Export {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  MicrometerExport() {
    new OffcutMetrics().bindTo(registry);
  }

  @Override
  public String scrape() {
    System.gc(); // whatever refers weakly to the meters
    return registry.scrape();
  }
}
