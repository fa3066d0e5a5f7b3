package dev.offcut.metrics;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.stream.Collectors;

/** By OpenTelemetry. */
final class OpenTelemetryExport implements ExportProgram.Export {
  private final InMemoryMetricReader reader = InMemoryMetricReader.create();

  OpenTelemetryExport() {
    OffcutTelemetry.observe(
        OpenTelemetrySdk.builder()
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build());
  }

  @Override
  public String scrape() {
    return reader.collectAllMetrics().stream()
        .map(MetricData::toString)
        .collect(Collectors.joining("\n"));
  }
}
