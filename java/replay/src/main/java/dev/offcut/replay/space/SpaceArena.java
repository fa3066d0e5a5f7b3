package dev.offcut.replay.space;

/** What one class loader has of a {@link Space}: chunks, and blocks in them. For one thread. */
public interface SpaceArena {
  /** Whether there was room for a block of so many words, at least one. */
  boolean allocate(long words);

  /** Returns all chunks to the space. The arena is of no use afterwards. */
  void close();
}
