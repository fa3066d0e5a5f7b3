package dev.offcut.replay.record;

import dev.offcut.replay.trace.ClassMemory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The estimated memory of classes; one without a class file counts as the mean of those with. */
final class SizedClasses {
  /** Where not one class file was found: about the mean of the JDK's own classes. */
  private static final ClassMemory TYPICAL = new ClassMemory(80, 600, 40);

  private final Map<Recording.Defined, ClassMemory> found = new HashMap<>();
  private final ClassMemory mean;

  SizedClasses(List<Recording.Event> events, ClassFiles files) {
    SizeEstimate estimate = new SizeEstimate(files);
    for (Recording.Event event : events) {
      if (event instanceof Recording.Defined defined && !defined.hidden()) {
        ClassMemory memory = estimate.of(defined.className());
        if (memory != null) {
          found.put(defined, memory);
        }
      }
    }
    this.mean = mean();
  }

  private ClassMemory mean() {
    int count = found.size();
    if (count == 0) {
      return TYPICAL;
    }
    long inClassSpace = found.values().stream().mapToLong(ClassMemory::classWords).sum();
    long elsewhere = found.values().stream().mapToLong(ClassMemory::nonClassWords).sum();
    long blocks = found.values().stream().mapToLong(ClassMemory::nonClassBlocks).sum();
    return new ClassMemory(inClassSpace / count, elsewhere / count, (int) (blocks / count));
  }

  boolean isFound(Recording.Defined defined) {
    return found.containsKey(defined);
  }

  ClassMemory of(Recording.Defined defined) {
    return found.getOrDefault(defined, mean);
  }

  /** Of a class of which nothing is known. */
  ClassMemory ofUnknown() {
    return mean;
  }
}
