package dev.offcut.handle;

/**
 * What a close of a parent does while some of its children are open. The net always releases
 * children before their parent.
 */
public enum CloseWithChildren {
  /**
   * {@code close} throws a {@link HandleBusyException}, and the parent stays open. This is the
   * default.
   */
  REFUSE,
  /**
   * {@code close} closes the open children, the youngest first, and then the parent. If a child
   * refuses, {@code close} throws, and the parent is released after its last child.
   */
  CASCADE,
  /**
   * {@code close} returns at once, and the parent refuses new children and new uses. The parent is
   * released after its last child and its last use.
   */
  DEFER
}
