package dev.offcut.replay.space;

/** How a chunk came to be. */
enum Origin {
  /** Cut because an arena asked for it. */
  NORMAL,
  /** Cut so that the next chunk is aligned to its size. */
  ALIGNMENT,
  /** Cut from the tail of a node that is full. */
  LEFTOVER,
  /** Made of smaller free chunks. */
  MERGE,
  /** Part of a larger one. */
  SPLIT
}
