package dev.offcut.replay.space;

/** Which of the two spaces a JVM keeps class metadata in. */
public enum SpaceKind {
  /** What compressed class pointers point to: one reservation of a fixed size. */
  CLASS,
  /** Methods, constant pools and the rest: nodes that are added and given back. */
  NON_CLASS
}
