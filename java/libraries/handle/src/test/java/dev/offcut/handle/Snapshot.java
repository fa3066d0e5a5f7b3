package dev.offcut.handle;

import dev.offcut.handle.HandleSnapshot.OfType;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Snapshots made up by tests. */
final class Snapshot {
  private Snapshot() {}

  static HandleSnapshot of(Detection level, OfType... types) {
    return new HandleSnapshot(level, List.of(types), 3, 0, Duration.ZERO, 0, 0);
  }

  static OfType type(
      String name, long opened, long forgotten, long open, Map<List<StackTraceElement>, Long> at) {
    long closed = opened - forgotten - open;
    return new OfType(
        0, name, opened, closed, forgotten, open, forgotten, 0, Duration.ofMillis(open), 0, at);
  }
}
