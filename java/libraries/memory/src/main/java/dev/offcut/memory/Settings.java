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

  /** Blocks are multiples of so many bytes. Smaller needs more bits, larger wastes more. */
  static final int BLOCK_BYTES = 16;

  /**
   * An arena fills an extent only so far: the next block begins another extent. An extent has a bit
   * for each {@link #BLOCK_BYTES} up to its last block. More makes more bits for small blocks
   * behind a large one, and less splits arenas that are larger.
   */
  static final long MOST_FILLED_BYTES = 1L << 30;

  /** The bits of an extent that are made with it; more are when a block begins behind them. */
  static final int FIRST_MARKED_BYTES = 64 << 10;

  /**
   * Bytes zeroed ahead at first; doubles. More than an arena of one block needs makes it slower.
   */
  static final int FIRST_ZEROED_BYTES = 256;

  /** The most bytes zeroed ahead: a page. */
  static final int MOST_ZEROED_BYTES = 4 << 10;
}
