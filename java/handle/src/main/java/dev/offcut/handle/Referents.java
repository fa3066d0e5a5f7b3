package dev.offcut.handle;

import org.jspecify.annotations.Nullable;

/**
 * A cleaner's objects by slot index, while their registrations are young.
 *
 * <p>They are held, not softly as handles are: an object does not refer to its registration, so
 * once it is out of sight nobody knows whether it lives. {@link Nurseries#relieve} sees to it that
 * what is held stays little, and no place is left behind: a registration that meets a sealed table
 * promotes itself, and the reaper looks again after it sealed one. One of the two sees the other,
 * although the opener has no fence between its publish and its read of the seal: a GC cycle that
 * began after the seal lies before that look, and stops every thread once. Who had read the seal
 * before it has published before it.
 */
final class Referents {
  private @Nullable Object @Nullable [] objects;
  private volatile boolean sealed;

  Referents(int slots) {
    objects = new Object[slots];
  }

  /** Null frees the place. */
  void set(int index, @Nullable Object referent) {
    @Nullable Object[] all = objects;
    if (all != null) {
      all[index] = referent; // ordered by the slot's publish and vacate
    }
  }

  @Nullable Object get(int index) {
    @Nullable Object[] all = objects;
    return all == null ? null : all[index];
  }

  boolean isSealed() {
    return sealed;
  }

  /** From here on registrations promote themselves. */
  void seal() {
    sealed = true;
  }

  /** Lets go of all. */
  void drop() {
    objects = null;
  }
}
