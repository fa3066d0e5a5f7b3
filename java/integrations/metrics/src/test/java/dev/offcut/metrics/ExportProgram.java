package dev.offcut.metrics;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.zip.Inflater;

/**
 * A program that exports with what its class path has, until a word is in the export, and prints
 * it. Its arguments: how it exports, and the word.
 */
final class ExportProgram {
  private ExportProgram() {}

  /** One way to export. */
  interface Export {
    /** As text that Prometheus reads. */
    String scrape();
  }

  public static void main(String[] arguments) throws Exception {
    List<ByteBuffer> kept = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      kept.add(ByteBuffer.allocateDirect(1 << 20));
    }
    Inflater inflater = new Inflater();
    Export export = export(arguments[0]);
    String text = export.scrape();
    while (!text.contains(arguments[1])) {
      TimeUnit.MILLISECONDS.sleep(10);
      text = export.scrape();
    }
    System.out.println(text);
    System.out.println("kept " + kept.size());
    inflater.end();
  }

  /** By name: a class that the program lacks must not be needed to load this one. */
  static Export export(String way) throws ReflectiveOperationException {
    try {
      return Class.forName("dev.offcut.metrics.ExportProgram$" + way)
          .asSubclass(Export.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /** By Micrometer. */
  static final class MicrometerExport implements Export {
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

  /** By OpenTelemetry. */
  static final class OpenTelemetryExport implements Export {
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
}
