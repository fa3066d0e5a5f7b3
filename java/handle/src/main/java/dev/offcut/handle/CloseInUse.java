package dev.offcut.handle;

/** Decides what a close does to a {@link GuardedHandle} while another call uses it. */
public enum CloseInUse {
  /** {@code close} throws {@link HandleBusyException}; the handle stays open. The default. */
  REFUSE,
  /** {@code close} returns at once; new uses are refused; the last user releases, on its thread. */
  DEFER,
  /**
   * {@code close} refuses new uses, waits for the last one, at most {@link
   * HandleType.Builder#waitLimit}, and releases; when time is up it throws {@link
   * HandleBusyException} and the handle stays open. Another close meanwhile returns at once.
   */
  WAIT
}
