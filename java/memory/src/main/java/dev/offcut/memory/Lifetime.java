package dev.offcut.memory;

/** How long an owner's memory is likely to live. Memory of the same lifetime is placed together. */
public enum Lifetime {
  /** Taken from low addresses. */
  SHORT,
  /** Taken from high addresses. */
  LONG
}
