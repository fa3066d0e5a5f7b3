package dev.offcut.replay.space;

/** The size classes of chunks, from small to large; each but the last has one fixed size. */
enum ChunkSize {
  SPECIALIZED,
  SMALL,
  MEDIUM,
  /** Larger than medium: what one large block asks for. */
  HUMONGOUS
}
