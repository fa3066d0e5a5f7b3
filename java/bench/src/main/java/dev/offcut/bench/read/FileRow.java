package dev.offcut.bench.read;

import dev.offcut.bench.Numbers;

/**
 * One measured value as it stands in a file.
 *
 * @param key what it is about
 * @param version of the implementation
 * @param value the median of the rounds
 * @param unit of value and spread
 * @param spread half the distance between the quartiles; 0 for a single round
 */
public record FileRow(Key key, String version, double value, String unit, double spread) {
  /**
   * What is the same in two runs of one measurement.
   *
   * @param caseName {@code case} in the JSON
   * @param runtime such as {@code java 25.0.3+9-LTS}
   */
  public record Key(
      String caseName, String impl, int threads, String gc, String runtime, String metric) {
    /** The same of another implementation. */
    public Key by(String other) {
      return new Key(caseName, other, threads, gc, runtime, metric);
    }

    /** Case, collector and threads, in the words of a report. */
    public String place() {
      return caseName + ", " + gc + ", " + threads + (threads == 1 ? " thread" : " threads");
    }
  }

  /** The value and how far its rounds lie apart. */
  public String text() {
    return Numbers.brief(value, spread);
  }
}
