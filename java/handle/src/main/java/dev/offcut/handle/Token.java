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
   * collector orders after both.
   */
  final long[] record;

  final @Nullable Extras extras;

  /** Of a cleaner's nursery. */
  final @Nullable Referents referents;

  Token(int slots, @Nullable Extras extras, boolean cleaner) {
    this.record = new long[slots];
    this.extras = extras;
    this.referents = cleaner ? new Referents(slots) : null;
  }

  boolean isSealed() {
    return referents != null && referents.isSealed();
  }

  void setReferent(int index, @Nullable Object referent) {
    if (referents != null) {
      referents.set(index, referent);
    }
  }
}
