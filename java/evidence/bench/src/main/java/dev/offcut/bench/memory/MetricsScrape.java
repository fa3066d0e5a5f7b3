package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Reservation;
import dev.offcut.metrics.OffcutMetrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * {@code metrics_scrape}: the page of metrics for Prometheus, of a program whose pool has many
 * owners. Each scrape reads all figures anew and writes the page. {@code gauges} has as many series
 * of owners without Offcut: what Micrometer takes for the page alone.
 *
 * <p>Arguments: {@code offcut} or {@code gauges}, owners, how many of them have series of their
 * own, CPU seconds of warm-up, seconds of measurement.
 */
final class MetricsScrape implements Workers.Work {
  private static final long SECOND = 1_000_000_000;

  /** What an owner without a limit has. */
  private static final List<String> METRICS =
      List.of("committed", "handed.out", "used", "pinned", "external");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** What a reading is fresh by: it moves on before each scrape. */
  private final AtomicLong clock = new AtomicLong();

  private final int series;
  private String page = "";

  private MetricsScrape(int series) {
    this.series = series;
  }

  public static void main(String[] args) throws Exception {
    int owners = Integer.parseInt(args[1]);
    MetricsScrape scrapes = new MetricsScrape(Integer.parseInt(args[2]));
    long warmUp = Child.nanos(args[3]);
    long measured = Child.nanos(args[4]);
    if (args[0].equals("gauges")) {
      scrapes.addGauges();
      Workers.run(List.of(scrapes), warmUp, measured).reportMicros();
      return;
    }
    try (MemoryPool pool = MemoryPool.named("bench").create();
        OffcutMetrics metrics = scrapes.metrics()) {
      List<Reservation> held = new ArrayList<>();
      for (int i = 0; i < owners; i++) {
        held.add(pool.owner().child("owner" + i).create().reserve(1 + i));
      }
      metrics.bindTo(scrapes.registry);
      Workers.run(List.of(scrapes), warmUp, measured).reportMicros();
      held.forEach(Reservation::close);
    }
  }

  private void addGauges() {
    for (int i = 0; i < series; i++) {
      for (String metric : METRICS) {
        double value = i;
        Gauge.builder("bench.owner." + metric, () -> value)
            .tags("pool", "bench", "owner", "owner" + i)
            .baseUnit("bytes")
            .strongReference(true)
            .register(registry);
      }
    }
  }

  /** With a clock of its own; who uses the library has the system's. */
  private OffcutMetrics metrics() throws ReflectiveOperationException {
    Constructor<OffcutMetrics> constructor =
        OffcutMetrics.class.getDeclaredConstructor(int.class, LongSupplier.class);
    constructor.setAccessible(true);
    LongSupplier nanoTime = clock::get;
    return constructor.newInstance(series, nanoTime);
  }

  @Override
  public void times(int operations) {
    for (int i = 0; i < operations; i++) {
      clock.addAndGet(SECOND);
      page = registry.scrape();
    }
  }

  @Override
  public int chunk() {
    return 1;
  }

  @Override
  public void check() {
    long found = page.lines().filter(line -> line.matches(".*external_?bytes[{].*owner.*")).count();
    if (found < series) {
      throw new IllegalStateException("the page has " + found + " owners, not " + series);
    }
  }
}
