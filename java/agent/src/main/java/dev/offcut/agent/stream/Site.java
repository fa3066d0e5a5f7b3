package dev.offcut.agent.stream;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** What was counted of one place of the program that reads objects. */
final class Site {
  /** Up to 7 frames, 15, 31, 63, 127, and more. */
  private static final int[] BOUNDS = {8, 16, 32, 64, 128};

  final LongAdder walks = new LongAdder();
  final LongAdder sampled = new LongAdder();
  final LongAdder unfiltered = new LongAdder();
  final LongAdder samples = new LongAdder();
  final LongAdder frames = new LongAdder();
  private final AtomicLongArray histogram = new AtomicLongArray(BOUNDS.length + 1);

  Site() {}

  void add(int depth) {
    samples.increment();
    frames.add(depth);
    int bucket = 0;
    while (bucket < BOUNDS.length && depth >= BOUNDS[bucket]) {
      bucket++;
    }
    histogram.incrementAndGet(bucket);
  }

  /** Its line of the report. */
  String line(String place) {
    StringBuilder line = new StringBuilder("site ").append(place);
    line.append(" walks ").append(walks.sum());
    line.append(" sampled ").append(sampled.sum());
    line.append(" unfiltered ").append(unfiltered.sum());
    line.append(" frames");
    for (int bucket = 0; bucket <= BOUNDS.length; bucket++) {
      line.append(bucket < BOUNDS.length ? " <" + BOUNDS[bucket] : " more");
      line.append(' ').append(histogram.get(bucket));
    }
    return line.toString();
  }
}
