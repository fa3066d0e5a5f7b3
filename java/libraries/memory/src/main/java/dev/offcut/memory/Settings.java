package dev.offcut.memory;

/** The tunables of arenas, each with what it costs to be wrong. */
final class Settings {
  private Settings() {}

  /**
   * Bytes an arena takes first. Less is taken twice by most, more is pinned by an arena of one
   * block.
   */
  static final int FIRST_GROWTH_BYTES = 4 << 10;

  /** The most it takes at a time beyond what a block needs. */
  static final int MOST_GROWTH_BYTES = 256 << 10;

  /**
   * The longest extent that a closed arena leaves for the next one. More saves the pool's lock to
   * larger arenas, and keeps so much of every owner for each stripe.
   */
  static final int MOST_KEPT_BYTES = 128 << 10;

  /** Places that a thread looks at for a kept extent, or for room for one. */
  static final int PROBES = 4;

  /** Blocks are multiples of so many bytes. Larger wastes more. */
  static final int BLOCK_BYTES = 16;

  /**
   * Bytes zeroed ahead at first; doubles. More than an arena of one block needs makes it slower.
   */
  static final int FIRST_ZEROED_BYTES = 256;

  /** The most bytes zeroed ahead: a page. */
  static final int MOST_ZEROED_BYTES = 4 << 10;
}
