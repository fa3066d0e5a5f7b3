package dev.offcut.handle;

import java.time.Duration;

/**
 * What closing does to a {@link GuardedHandle} that another call is using.
 *
 * @param mode what happens
 * @param limit how long {@link Mode#WAIT} waits; zero for the other modes
 */
public record CloseInUse(Mode mode, Duration limit) {
  /** The three outcomes. */
  public enum Mode {
    /** {@code close} throws {@link HandleBusyException}; the handle stays open. */
    THROW,
    /** {@code close} returns at once; new uses are refused; the last user releases. */
    DEFER,
    /**
     * {@code close} refuses new uses, waits for the last one, and releases; when time is up it
     * throws and the handle stays open. Another close meanwhile returns at once.
     */
    WAIT
  }

  /** Closing in use throws {@link HandleBusyException}; the handle stays open. The default. */
  public static final CloseInUse THROW = new CloseInUse(Mode.THROW, Duration.ZERO);

  /** Closing in use refuses new uses; the last user releases, on its thread. */
  public static final CloseInUse DEFER = new CloseInUse(Mode.DEFER, Duration.ZERO);

  /** Checks the limit. */
  public CloseInUse {
    if (mode == Mode.WAIT ? limit.isNegative() || limit.isZero() : !limit.isZero()) {
      throw new IllegalArgumentException(
          "close in use "
              + mode
              + " with the limit "
              + limit
              + ": only WAIT takes one, above zero");
    }
  }

  /** Closing in use refuses new uses and waits until {@code limit} for the last user. */
  public static CloseInUse waitFor(Duration limit) {
    return new CloseInUse(Mode.WAIT, limit);
  }
}
