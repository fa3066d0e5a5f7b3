package dev.offcut.bench.results;

import dev.offcut.bench.contention.ContentionSuite;
import dev.offcut.bench.contention.ScalabilityLaw;
import dev.offcut.bench.contention.ScalabilityLaw.Point;
import dev.offcut.bench.read.RunFile;
import dev.offcut.bench.results.BarsPicture.Picture;
import dev.offcut.bench.results.Section.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the suite {@code contention} measured: curves of throughput by threads, and their laws. */
final class ScalingCurves {
  private static final double WIDTH = 760;
  private static final double HEIGHT = 300;
  private static final double LEFT = 70;
  private static final double RIGHT = 200;
  private static final double TOP = 34;
  private static final double BOTTOM = 44;
  private static final double DOT = 4;
  private static final double LINE = 18;
  private static final int STEPS = 64;
  private static final int LABELS = 4;

  private static final List<String> PEERS = List.of(Svg.WARNING, Svg.THIRD, Svg.THEIRS);

  /** By case and implementation, as they were measured. */
  private final Map<String, Map<String, List<Point>>> curves = new LinkedHashMap<>();

  private final int cpus;

  ScalingCurves(RunFile run) {
    String counted = run.fact("cpus");
    cpus = counted.matches("\\d{1,6}") ? Integer.parseInt(counted) : 0;
    for (RunFile.Row row : run.rows()) {
      RunFile.Row.Key key = row.key();
      if (key.metric().equals(ContentionSuite.THROUGHPUT)) {
        curves
            .computeIfAbsent(key.caseName(), made -> new LinkedHashMap<>())
            .computeIfAbsent(key.impl(), made -> new ArrayList<>())
            .add(new Point(key.threads(), row.value()));
      }
    }
  }

  /** The parameters of each curve. */
  Table laws() {
    List<List<String>> lines = new ArrayList<>();
    curves.forEach(
        (name, impls) ->
            impls.forEach(
                (impl, points) -> {
                  ScalabilityLaw law = ScalabilityLaw.of(points);
                  lines.add(law == null ? unknown(name, impl, points) : line(name, impl, law));
                }));
    return new Table(
        "The law of each curve",
        List.of("case", "implementation", "λ, ops/ms", "σ", "κ", "most at threads", "mean error"),
        lines);
  }

  private static List<String> unknown(String name, String impl, List<Point> points) {
    String few = points.size() + " points: too few";
    return List.of(name, impl, few, Cells.NONE, Cells.NONE, Cells.NONE, Cells.NONE);
  }

  private static List<String> line(String name, String impl, ScalabilityLaw law) {
    return List.of(
        name,
        impl,
        format("%,.0f", law.lambda()),
        format("%.3f", law.sigma()),
        format("%.5f", law.kappa()),
        peak(law.peak()),
        format("%.0f %%", 100 * law.error()));
  }

  private static String peak(double threads) {
    return threads > ContentionSuite.MOST_THREADS
        ? format("beyond %,.0f", ContentionSuite.MOST_THREADS)
        : format("%.1f", threads);
  }

  private static String format(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  List<Picture> pictures() {
    List<Picture> all = new ArrayList<>();
    curves.forEach(
        (name, impls) ->
            all.add(
                new Picture(
                    "contention-" + name + ".svg",
                    name + ": operations per ms by threads, measured (dots) and by the law (lines)",
                    drawn(name, impls))));
    return all;
  }

  private String drawn(String name, Map<String, List<Point>> impls) {
    Svg svg = new Svg(WIDTH, HEIGHT, name + ": operations per ms by threads");
    double most = 0;
    int mostThreads = 1;
    for (List<Point> points : impls.values()) {
      for (Point point : points) {
        most = Math.max(most, point.throughput());
        mostThreads = Math.max(mostThreads, point.threads());
      }
    }
    Axes axes = new Axes(mostThreads, most);
    svg.sayBold(8, 18, name + ": operations per ms by threads; more is better");
    axes.draw(svg, cpus);
    int peer = 0;
    double legend = TOP + LINE;
    for (Map.Entry<String, List<Point>> impl : impls.entrySet()) {
      boolean ours = impl.getKey().startsWith("offcut");
      String colour = ours ? Svg.OURS : PEERS.get(peer++ % PEERS.size());
      ScalabilityLaw law = ScalabilityLaw.of(impl.getValue());
      if (law != null) {
        svg.curve(axes.curve(law), colour);
      }
      impl.getValue()
          .forEach(
              point -> svg.dot(axes.x(point.threads()), axes.y(point.throughput()), DOT, colour));
      svg.dot(WIDTH - RIGHT + 20, legend - 4, DOT, colour);
      svg.say(WIDTH - RIGHT + 30, legend, impl.getKey());
      legend += LINE;
    }
    return svg.done();
  }

  /** Threads by their logarithm, throughput from zero on. */
  private record Axes(int mostThreads, double most) {
    double x(double threads) {
      double share = mostThreads == 1 ? 0 : Math.log(threads) / Math.log(mostThreads);
      return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    double y(double throughput) {
      double share = most == 0 ? 0 : throughput / most;
      return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    List<double[]> curve(ScalabilityLaw law) {
      List<double[]> points = new ArrayList<>();
      for (int i = 0; i <= STEPS; i++) {
        double threads = Math.pow(mostThreads, (double) i / STEPS);
        double throughput = Math.min(law.throughput(threads), most);
        points.add(new double[] {x(threads), y(throughput)});
      }
      return points;
    }

    void draw(Svg svg, int cpus) {
      svg.box(LEFT, TOP, 1, HEIGHT - TOP - BOTTOM, Svg.INK);
      svg.box(LEFT, HEIGHT - BOTTOM, WIDTH - LEFT - RIGHT, 1, Svg.INK);
      for (int i = 0; i <= LABELS; i++) {
        double value = most * i / LABELS;
        svg.say(8, y(value) + 4, String.format(Locale.ROOT, "%,.0f", value));
      }
      for (int n = 1; n <= mostThreads; n *= 2) {
        svg.say(x(n) - 4, HEIGHT - BOTTOM + LINE, String.valueOf(n));
      }
      svg.say(LEFT, HEIGHT - 8, "threads; the machine has " + cpus + " CPUs");
    }
  }
}
