package dev.offcut.memory;

/** How long the memory of an owner is likely to live: those of one kind are put side by side. */
public enum Lifetime {
  /** Taken from low addresses. */
  SHORT,
  /** Taken from high addresses. */
  LONG
}
