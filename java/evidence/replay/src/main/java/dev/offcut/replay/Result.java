package dev.offcut.replay;

import dev.offcut.replay.space.Space;
import dev.offcut.replay.space.Space.Usage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of a replay.
 *
 * @param classes how many classes were loaded
 * @param classesByGroup the same of each group, in the order in which the trace names them
 * @param snapshots at the marks, then at the first failure or at the end
 * @param failure the first time that memory was out; null if it never was
 */
public record Result(
    String policy,
    long classes,
    Map<String, Long> classesByGroup,
    List<Snapshot> snapshots,
    @Nullable Failure failure) {
  /**
   * Memory was out.
   *
   * @param line of the trace
   * @param expected whether the trace asked for as much as there is
   */
  public record Failure(int line, Space.Kind space, boolean expected) {}

  /** At the failure, or at the end. */
  public Snapshot last() {
    return snapshots.getLast();
  }

  /** The two spaces at one moment of a replay. */
  public record Snapshot(String name, Look classSpace, Look nonClass) {
    /** One space. */
    public record Look(Usage usage, Space.Layout map) {}
  }
}
