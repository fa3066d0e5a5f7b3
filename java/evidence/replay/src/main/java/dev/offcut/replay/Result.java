package dev.offcut.replay;

import dev.offcut.replay.space.Space;
import dev.offcut.replay.space.Space.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a replay.
 *
 * @param small how many small classes were loaded
 * @param large how many large classes were loaded
 * @param snapshots before and after unloading, and at the failure
 * @param early the space that was full before the small loaders were unloaded; null if none was
 */
public record Result(
    String policy, int small, int large, List<Snapshot> snapshots, Space.@Nullable Kind early) {
  /** When no class fitted any more. */
  public Snapshot last() {
    return snapshots.getLast();
  }

  /** The two spaces at one moment of a replay. */
  public record Snapshot(String name, Look classSpace, Look nonClass) {
    /** One space. */
    public record Look(Usage usage, Space.Layout map) {}
  }
}
