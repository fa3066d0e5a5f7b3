package dev.offcut.replay.space;

/** A way to run spaces. */
public interface Policy {
  /** As on the command line and in the reports. */
  String name();

  /** One line for the help. */
  String summary();

  /**
   * A space without arenas.
   *
   * @param words of a class space its size, a multiple of 8,192 (64 KiB); else how large all nodes
   *     may be together
   */
  Space space(SpaceKind kind, long words);
}
