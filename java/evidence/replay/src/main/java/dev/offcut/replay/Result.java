package dev.offcut.replay;

import dev.offcut.replay.space.Space;
import dev.offcut.replay.space.Space.Usage;
import java.util.List;

/**
 * What came of a replay.
 *
 * @param small how many small classes were loaded
 * @param large how many large classes were loaded
 * @param snapshots before and after unloading, and at the failure
 * @param isEarly whether class space was full before the small loaders were unloaded
 */
public record Result(
    String policy, int small, int large, List<Snapshot> snapshots, boolean isEarly) {
  /** When no class fitted any more. */
  public Snapshot last() {
    return snapshots.getLast();
  }

  /** The two spaces at one moment of a replay. */
  public record Snapshot(String name, Look classSpace, Look nonClass) {
    /** One space. */
    public record Look(Usage usage, List<Space.NodeMap> map) {}
  }
}
