package dev.offcut.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.handle.HandleType;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OffcutTelemetryTest {
  private static final long SECOND = 1_000_000_000;

  private final InMemoryMetricReader reader = InMemoryMetricReader.create();
  private final AtomicLong clock = new AtomicLong();
  private final OpenTelemetry telemetry =
      OpenTelemetrySdk.builder()
          .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
          .build();

  private Map<String, MetricData> collect() {
    clock.addAndGet(SECOND);
    return reader.collectAllMetrics().stream()
        .collect(Collectors.toMap(MetricData::getName, metric -> metric));
  }

  private static long value(Map<String, MetricData> all, String metric, String type) {
    return Objects.requireNonNull(all.get(metric)).getLongSumData().getPoints().stream()
        .filter(
            point -> point.getAttributes().equals(Attributes.builder().put("type", type).build()))
        .mapToLong(LongPointData::getValue)
        .sum();
  }

  @Test
  void handles_haveInstrumentsByTheConventions() {
    HandleType type = Image.type("observed");
    try (OffcutTelemetry metrics = OffcutTelemetry.observe(telemetry, 3, clock::get);
        Image image = Image.of(type)) {
      Image.of(type).close();
      Map<String, MetricData> all = collect();
      assertThat(value(all, "offcut.handle.opened", "observed")).isEqualTo(2);
      assertThat(value(all, "offcut.handle.closed", "observed")).isEqualTo(1);
      assertThat(value(all, "offcut.handle.open", "observed")).isEqualTo(1);
      MetricData opened = Objects.requireNonNull(all.get("offcut.handle.opened"));
      assertThat(opened.getUnit()).isEqualTo("{handle}");
      assertThat(opened.getDescription()).startsWith("handles opened");
      assertThat(opened.getLongSumData().isMonotonic()).isTrue();
      assertThat(opened.getInstrumentationScopeInfo().getName()).isEqualTo("dev.offcut.metrics");
      assertThat(
              Objects.requireNonNull(all.get("offcut.handle.open")).getLongSumData().isMonotonic())
          .isFalse();
      MetricData oldest = Objects.requireNonNull(all.get("offcut.handle.oldest"));
      assertThat(oldest.getType()).isEqualTo(MetricDataType.DOUBLE_GAUGE);
      assertThat(oldest.getUnit()).isEqualTo("s");
      assertThat(all)
          .containsKey("offcut.source.present")
          .doesNotContainKey("offcut.resource.open");
      assertThat(image).isNotNull();
      assertThat(metrics).isNotNull();
    }
    assertThat(collect()).isEmpty();
  }
}
