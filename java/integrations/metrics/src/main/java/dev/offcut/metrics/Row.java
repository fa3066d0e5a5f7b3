package dev.offcut.metrics;

import org.jspecify.annotations.Nullable;

/** One series: a metric, the values of its labels, and its value at the last reading. */
final class Row {
  /** By which a row is found again. */
  record Key(Metric metric, String first, @Nullable String second) {}

  final Key key;

  /** Under the lock of {@link Readings}, as the next one. */
  double value;

  /** The reading that it is of. */
  long reading;

  /** No longer read: what exports it has to take it out. */
  volatile boolean gone;

  /** What the exporter keeps of it: a meter, or attributes. */
  volatile @Nullable Object exported;

  Row(Key key) {
    this.key = key;
  }

  Metric metric() {
    return key.metric;
  }

  /** The value of a label, by its place among the labels of the metric. */
  String label(int place) {
    String second = key.second;
    return place == 0 || second == null ? key.first : second;
  }
}
