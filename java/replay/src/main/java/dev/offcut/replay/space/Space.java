package dev.offcut.replay.space;

import org.jspecify.annotations.Nullable;

/** One of the two spaces of class metadata, run by a policy. For one thread. */
public interface Space extends AutoCloseable {
  /**
   * A new arena with its first chunk; null if there is none to be had, which leaves the space as it
   * was.
   */
  @Nullable SpaceArena open(ArenaKind kind);

  /** Gives back what memory the policy gives back after classes were unloaded. */
  void purge();

  /** How the space is used now. */
  Usage usage();

  /** What lies where now. */
  SpaceMap map();

  /**
   * Checks every equation of the space: chunks tile it, lists, bits and counters agree.
   *
   * @throws IllegalStateException that says which does not hold
   */
  void verify();

  /** Gives back what it has of the system; its arenas are closed. */
  @Override
  void close();
}
