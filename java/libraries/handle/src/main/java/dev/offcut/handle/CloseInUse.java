package dev.offcut.handle;

/** What a close of a {@link GuardedHandle} does while another call uses the handle. */
public enum CloseInUse {
  /**
   * {@code close} throws a {@link HandleBusyException}, and the handle stays open. This is the
   * default.
   */
  REFUSE,
  /**
   * {@code close} returns at once, and the handle refuses new uses. The thread that ends the last
   * use releases the resource.
   */
  DEFER,
  /**
   * {@code close} refuses new uses, waits until the last use has ended, and releases the resource.
   * It waits for {@link HandleType.Builder#waitLimit} at most. After that time it throws a {@link
   * HandleBusyException}, and the handle stays open. If the thread is interrupted, it throws this
   * exception before that time, and the interrupt status stays set. Another close returns at once
   * while the first one waits.
   */
  WAIT
}
