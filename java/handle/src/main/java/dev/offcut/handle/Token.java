package dev.offcut.handle;

import java.lang.ref.SoftReference;
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

  /** A cleaner's objects by slot index: held softly, like the table, so that none is kept alive. */
  final @Nullable SoftReference<@Nullable Object[]> referents;

  Token(int slots, @Nullable Extras extras, boolean cleaner) {
    this.record = new long[slots];
    this.extras = extras;
    this.referents = cleaner ? new SoftReference<>(new Object[slots]) : null;
  }

  void setReferent(int index, @Nullable Object referent) {
    if (referents != null) {
      @Nullable Object[] all = referents.get();
      if (all != null) {
        all[index] = referent;
      }
    }
  }
}
