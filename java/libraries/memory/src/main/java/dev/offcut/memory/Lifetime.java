package dev.offcut.memory;

/**
 * How long the memory of an owner is likely to live. A pool places memory of the same lifetime
 * together, so that a long-lived chunk does not keep short-lived memory from going back to the
 * system.
 */
public enum Lifetime {
  /** Freed soon. The pool takes such memory from low addresses. */
  SHORT,
  /** Kept for long. The pool takes such memory from high addresses. */
  LONG
}
