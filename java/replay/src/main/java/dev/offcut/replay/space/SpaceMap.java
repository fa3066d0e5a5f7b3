package dev.offcut.replay.space;

import java.util.List;

/** What lies where in a space: its nodes, each tiled by pieces in address order. */
public record SpaceMap(List<NodeMap> nodes) {
  /** One reservation. */
  public record NodeMap(long words, List<Piece> pieces) {}

  /** A chunk, or the run at the end of a node from which none was cut yet. */
  public record Piece(long from, long words, State state) {}

  /** What a piece is. */
  public enum State {
    /** An arena has it. */
    IN_USE,
    /** In a free list. */
    FREE,
    /** In a free list; cut to align another, and not used since. */
    ALIGNMENT,
    /** No chunk yet. */
    UNTOUCHED
  }
}
