package dev.offcut.handle;

/**
 * Decides what a close does to a parent with open children. The net always releases children before
 * their parent.
 */
public enum CloseWithChildren {
  /** {@code close} throws {@link HandleBusyException}; the parent stays open. The default. */
  REFUSE,
  /**
   * {@code close} closes the open children, the youngest first, then the parent. A child that
   * refuses makes {@code close} throw; the parent is then released after its last child.
   */
  CASCADE,
  /**
   * {@code close} returns at once; new children are refused; the parent goes after its last child.
   */
  DEFER
}
