package dev.offcut.bench.contention;

import java.util.ArrayList;
import java.util.List;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;
import org.jspecify.annotations.Nullable;

/**
 * The universal scalability law, after N. J. Gunther, "Guerrilla Capacity Planning" (2007): the
 * throughput of {@code n} threads is
 *
 * <pre>
 *   λ n / (1 + σ (n − 1) + κ n (n − 1))
 * </pre>
 *
 * @param lambda throughput of one thread
 * @param sigma the share of an operation that only one thread does at a time
 * @param kappa what each pair of threads costs each other, as a share of an operation: cache lines
 *     that go back and forth
 * @param error the mean of how far the law is from what was measured, as a share of that
 */
public record ScalabilityLaw(double lambda, double sigma, double kappa, double error) {
  /** Throughput that was measured with a number of threads. */
  public record Point(int threads, double throughput) {}

  /** What σ is: found, or given. */
  private enum Serial {
    FOUND,
    NONE,
    ALL
  }

  /**
   * Finds the law that is nearest to what was measured, each point weighing the same however large
   * its throughput is, with no parameter below zero and σ at most 1. Null for fewer than three
   * points: they would fit any.
   */
  public static @Nullable ScalabilityLaw of(List<Point> points) {
    if (points.size() < 3) {
      return null;
    }
    ScalabilityLaw best = null;
    for (Serial serial : Serial.values()) {
      for (boolean pairs : new boolean[] {true, false}) {
        ScalabilityLaw law = fit(points, serial, pairs);
        if (law != null && (best == null || law.error < best.error)) {
          best = law;
        }
      }
    }
    return best;
  }

  /**
   * The law is linear in {@code n / throughput}: {@code 1/λ + σ/λ (n − 1) + κ/λ n (n − 1)}. Each
   * line is divided by what is measured, so that errors are relative.
   *
   * @param pairs whether κ is found; else it is zero
   */
  private static @Nullable ScalabilityLaw fit(List<Point> points, Serial serial, boolean pairs) {
    double[] ones = new double[points.size()];
    double[][] terms = new double[points.size()][];
    for (int i = 0; i < ones.length; i++) {
      Point point = points.get(i);
      double n = point.threads();
      double weight = point.throughput() / n;
      List<Double> line = new ArrayList<>();
      line.add(weight * (serial == Serial.ALL ? n : 1));
      if (serial == Serial.FOUND) {
        line.add(weight * (n - 1));
      }
      if (pairs) {
        line.add(weight * n * (n - 1));
      }
      terms[i] = line.stream().mapToDouble(Double::doubleValue).toArray();
      ones[i] = 1;
    }
    double[] found;
    try {
      OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
      regression.setNoIntercept(true);
      regression.newSampleData(ones, terms);
      found = regression.estimateRegressionParameters();
    } catch (MathRuntimeException e) {
      return null; // fewer numbers of threads than parameters
    }
    double lambda = 1 / found[0];
    double sigma =
        switch (serial) {
          case FOUND -> found[1] * lambda;
          case NONE -> 0;
          case ALL -> 1;
        };
    double kappa = pairs ? found[found.length - 1] * lambda : 0;
    boolean isLaw = lambda > 0 && sigma >= 0 && sigma <= 1 && kappa >= 0;
    return isLaw ? withError(points, lambda, sigma, kappa) : null;
  }

  private static ScalabilityLaw withError(
      List<Point> points, double lambda, double sigma, double kappa) {
    ScalabilityLaw law = new ScalabilityLaw(lambda, sigma, kappa, 0);
    double error = 0;
    for (Point point : points) {
      error += Math.abs(law.throughput(point.threads()) / point.throughput() - 1);
    }
    return new ScalabilityLaw(lambda, sigma, kappa, error / points.size());
  }

  /** What it says of so many threads. */
  public double throughput(double threads) {
    double n = threads;
    return lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
  }

  /**
   * The number of threads with the highest throughput, 1 at least; infinite if more are never
   * slower.
   */
  public double peak() {
    return kappa == 0 ? Double.POSITIVE_INFINITY : Math.max(1, Math.sqrt((1 - sigma) / kappa));
  }
}
