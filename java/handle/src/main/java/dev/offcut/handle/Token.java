package dev.offcut.handle;

import org.jspecify.annotations.Nullable;

/**
 * What every handle of one nursery refers to, through its slot. When it is unreachable the table
 * has been dropped and the last of these handles is gone: what the record still holds was
 * forgotten.
 */
final class Token {
  /**
   * By slot index: the value to release, encoded as in {@link Handle}; 0 for none. Written plainly
   * by the opener and by whoever empties the slot; read once the token is unreachable, which the
   * collector orders after both. Empty in a cleaner's nursery: a registration holds its own.
   */
  final long[] record;

  final @Nullable Extras extras;

  private volatile boolean sealed;

  /** Sealed, or with extras: one look for the usual case, in which it is neither. */
  private volatile boolean special;

  Token(int slots, @Nullable Extras extras, boolean cleaner) {
    this.record = new long[cleaner ? 0 : slots];
    this.extras = extras;
    this.special = extras != null;
  }

  /**
   * Whether the table is about to be dropped, which happens so long after this that nobody misses
   * both: a registration that enters a sealed table leaves it by itself, and the reaper looks again
   * after it sealed one. One of the two sees the other, although the opener has no fence between
   * its publish and its read of the seal: a GC cycle that began after the seal lies before that
   * look, and stops every thread once. Who had read the seal before it has published before it.
   *
   * <p>A cleaner's alone. What else is entered late is left to its record.
   */
  boolean isSealed() {
    return sealed;
  }

  boolean isSpecial() {
    return special;
  }

  void seal() {
    sealed = true;
    special = true;
  }
}
