package dev.offcut.agent.stream;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** What was counted of one place of the program that reads objects. */
final class Site {
  /** Where the classes of depth begin, after the first, which begins at 0. */
  static final int[] BOUNDS = {8, 16, 32, 64, 128};

  private final LongAdder walks = new LongAdder();
  private final LongAdder walkFrames = new LongAdder();
  private final LongAdder sampled = new LongAdder();
  private final LongAdder sampledFrames = new LongAdder();
  private final LongAdder unfiltered = new LongAdder();
  private final AtomicLongArray depths = new AtomicLongArray(BOUNDS.length + 1);

  Site() {}

  /** A walk that was done. */
  void walked(int depth, boolean filtered) {
    walks.increment();
    walkFrames.add(depth);
    if (!filtered) {
      unfiltered.increment();
    }
    depths.incrementAndGet(classOf(depth));
  }

  /** A walk that was saved, which stands for so many. */
  void saved(int depth, int weight) {
    sampled.increment();
    sampledFrames.add(depth);
    depths.addAndGet(classOf(depth), weight);
  }

  private static int classOf(int depth) {
    int index = 0;
    while (index < BOUNDS.length && depth >= BOUNDS[index]) {
      index++;
    }
    return index;
  }

  /** All figures: walks and their frames, samples and theirs, unfiltered, then by depth. */
  long[] figures() {
    long[] figures = new long[5 + depths.length()];
    figures[0] = walks.sum();
    figures[1] = walkFrames.sum();
    figures[2] = sampled.sum();
    figures[3] = sampledFrames.sum();
    figures[4] = unfiltered.sum();
    for (int index = 0; index < depths.length(); index++) {
      figures[5 + index] = depths.get(index);
    }
    return figures;
  }
}
