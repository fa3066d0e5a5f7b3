package dev.offcut.replay.trace;

/** Arenas by their numbers, both ends included. */
public record Range(int first, int last) {
  /** One arena. */
  public static Range of(int arena) {
    return new Range(arena, arena);
  }

  public int count() {
    return last - first + 1;
  }
}
