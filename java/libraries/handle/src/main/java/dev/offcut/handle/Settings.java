package dev.offcut.handle;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The tunables of the net, each with what it costs to be wrong. Not public: nobody should have to.
 */
final class Settings {
  private Settings() {}

  /**
   * Slots of a first nursery. Smaller wastes rotations of a thread that holds a few; larger wastes
   * memory.
   */
  static final int MIN_SLOTS = 16;

  /**
   * Slots of the largest nursery. A queue of this many live handles stays young; filling it
   * promotes it whole.
   */
  static final int MAX_SLOTS = 1 << 16;

  /**
   * Claims below which a nursery stays small and its owner promotes what it filled. So few since
   * the last GC cycle, and each may reach much of the heap: a large table would keep all of that
   * for a whole cycle, when a concurrent collector marks while the net looks at it. More costs a
   * thread that holds its handles a promotion each; fewer lets tables grow under heavy graphs.
   */
  static final int FEW_CLAIMS = 256;

  /**
   * Occupied slots looked at before a nursery counts as full. More tolerates clusters, and costs a
   * full one more.
   */
  static final int PROBES = 8;

  /** Openings between two recorded sites at level {@code sample}. */
  static final int SAMPLE_INTERVAL = 128;

  /**
   * Age at which a nursery is rotated though no GC cycle was seen: bounds the wait under lazy
   * collectors.
   */
  static final long NURSERY_AGE_NANOS = Duration.ofSeconds(1).toNanos();

  /** Looks of the reaper after which an unused, empty nursery is given back. */
  static final int IDLE_LOOKS = 16;

  /**
   * Empty looks before a retired table is dropped: an opener caught between check and claim shows
   * up meanwhile.
   */
  static final int EMPTY_LOOKS = 2;

  /**
   * Looks after which openings that have not returned are left to the group rule. A constructor
   * that threw without giving its place back must not be kept for ever.
   */
  static final int OPENING_LOOKS = 16;

  /** Cells of one registry segment: one array of 4 KiB. */
  static final int SEGMENT_CELLS = 1024;

  /**
   * Cells a promoter reserves at a time. More wastes cells of small promotions, fewer wait for the
   * lock.
   */
  static final int RANGE_CELLS = 64;

  /** References after which a releaser reports, and looks whether a sweep is worth it. */
  static final int MANY_IN_A_ROW = 1024;

  /** Cells looked at before a sweep of the registry. More decides better, and costs each look. */
  static final int SWEEP_SAMPLE = 64;

  /** Pause before what could not be kept for want of memory is tried again. */
  static final long RETRY_NANOS = Duration.ofMillis(1).toNanos();

  /** How long one releaser call may take before the rest of the work moves to another thread. */
  static final long HANG_NANOS =
      TimeUnit.MILLISECONDS.toNanos(Long.getLong("offcut.handle.hangMillis", 5_000));

  /** Threads that may hang in releasers before the net stops replacing them. */
  static final int MAX_HUNG = 8;

  /** How long the net's threads stay when there is nothing to watch: class loaders can then go. */
  static final long LINGER_NANOS =
      TimeUnit.MILLISECONDS.toNanos(Long.getLong("offcut.handle.lingerMillis", 30_000));

  /**
   * New places of one type after which an opener waits until the releasing thread has emptied its
   * queue: what is forgotten faster than it is released must not fill the heap. More lets through
   * larger bursts and costs heap, about 100 bytes each; fewer costs openers more waits.
   */
  static final int PLACES_A_WAIT = MAX_SLOTS;

  /** Longest pause between two looks of an opener that waits for the releasing thread. */
  static final long BACK_PRESSURE_NANOS = Duration.ofMillis(1).toNanos();

  static final int SITE_FRAMES = 16;

  /** Distinct sites kept. Beyond, openings count under one site that says so. */
  static final int MAX_SITES = 10_000;
}
