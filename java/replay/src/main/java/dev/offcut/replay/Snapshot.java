package dev.offcut.replay;

import dev.offcut.replay.space.SpaceMap;
import dev.offcut.replay.space.Usage;

/** The two spaces at one moment of a replay. */
public record Snapshot(String name, Look classSpace, Look nonClass) {
  /** One space. */
  public record Look(Usage usage, SpaceMap map) {}
}
