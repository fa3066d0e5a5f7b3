package dev.offcut.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.HandleType;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class OffcutMetricsTest {
  private static final Pattern SPECIFIED =
      Pattern.compile(
          "\\{\"name\": \"(offcut\\.[a-z._]+)\",(?: \"\\w+\": \"[\\w.]+\",)? \"kind\": \"(\\w+)\","
              + " \"unit\": \"([^\"]+)\", \"tags\": \\[([^]]*)], \"meaning\": \"([^\"]+)\"}");

  @Test
  void names_areThoseOfTheSpecification() throws IOException {
    Path file = Path.of("").toAbsolutePath();
    while (!Files.exists(file.resolve("spec/names.json"))) {
      file = Objects.requireNonNull(file.getParent(), "above it is no spec/names.json");
    }
    Matcher found = SPECIFIED.matcher(Files.readString(file.resolve("spec/names.json")));
    List<String> specified = new ArrayList<>();
    while (found.find()) {
      specified.add(
          String.join(
              " ",
              found.group(1),
              found.group(2),
              found.group(3),
              found.group(4).replace("\"", ""),
              found.group(5)));
    }
    assertThat(Arrays.stream(Metric.values()).map(OffcutMetricsTest::text))
        .containsExactlyElementsOf(specified)
        .hasSizeGreaterThan(30);
  }

  private static String text(Metric metric) {
    return String.join(
        " ",
        metric.id,
        metric.kind == Metric.Kind.COUNTER ? "counter" : "gauge",
        metric.unit,
        String.join(", ", metric.labels()),
        metric.meaning);
  }

  @Test
  void handles_areCountedByType() {
    HandleType type = Image.type("picture");
    HandleType same = Image.type("picture");
    List<Image> open = new ArrayList<>();
    try (Scrapes scrapes = new Scrapes(1)) {
      assertThat(scrapes.scrape().keySet()).noneMatch(name -> name.contains("picture"));
      for (int i = 0; i < 5; i++) {
        open.add(Image.of(i % 2 == 0 ? type : same));
      }
      open.remove(0).close();
      Map<String, Double> values = scrapes.scrape();
      assertThat(values)
          .containsEntry("offcut.source.present{source=handles}", 1.0)
          .containsEntry("offcut.source.present{source=agent}", 0.0)
          .containsEntry("offcut.handle.opened{type=picture}", 5.0)
          .containsEntry("offcut.handle.closed{type=picture}", 1.0)
          .containsEntry("offcut.handle.open{type=picture}", 4.0)
          .containsEntry("offcut.handle.forgotten{type=picture}", 0.0)
          .containsEntry("offcut.handle.failures{type=picture}", 0.0)
          .containsKeys(
              "offcut.handle.promoted{type=picture}", "offcut.handle.pinned{type=picture}");
      assertThat(values.get("offcut.handle.oldest{type=picture}")).isPositive();
    }
    open.forEach(Image::close);
  }

  @Test
  void scrape_ofAFreshReading_readsNothing() {
    HandleType type = Image.type("fresh");
    try (Scrapes scrapes = new Scrapes(1);
        Image image = Image.of(type)) {
      assertThat(scrapes.scrape()).containsEntry("offcut.handle.open{type=fresh}", 1.0);
      try (Image another = Image.of(type)) {
        assertThat(scrapes.values()).containsEntry("offcut.handle.open{type=fresh}", 1.0);
        assertThat(scrapes.scrape()).containsEntry("offcut.handle.open{type=fresh}", 2.0);
        assertThat(another).isNotSameAs(image);
      }
    }
  }

  @Test
  void names_moreThanAHundred_areOneAndKeepTheirSeries() {
    Source.Names names = new Source.Names();
    for (int i = 0; i < 120; i++) {
      assertThat(names.of("type" + i)).isEqualTo(i < 100 ? "type" + i : "other");
    }
    assertThat(names.of("type0")).isEqualTo("type0");
    assertThat(names.of("type119")).isEqualTo("other");
  }

  @Test
  void misuse_isNamed() {
    assertThatThrownBy(() -> new OffcutMetrics(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("series for -1 owners: give 0 or more; all others are one");
  }

  @Test
  void prometheus_hasNamesWithUnits() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Image image = Image.of(Image.type("scraped"));
        OffcutMetrics metrics = new OffcutMetrics()) {
      metrics.bindTo(registry);
      assertThat(registry.scrape())
          .contains("offcut_handle_opened_total{type=\"scraped\"} 1.0")
          .contains("offcut_handle_open{type=\"scraped\"} 1.0")
          .contains("offcut_handle_oldest_seconds{type=\"scraped\"} ")
          .contains("offcut_source_present{source=\"handles\"} 1.0")
          .contains("# TYPE offcut_handle_opened_total counter")
          .contains("# HELP offcut_handle_open handles neither closed nor forgotten");
      assertThat(image).isNotNull();
    }
  }
}
