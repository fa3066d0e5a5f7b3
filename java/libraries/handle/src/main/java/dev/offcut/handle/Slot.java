package dev.offcut.handle;

import dev.offcut.handle.NurseryToken.Extras;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The place of one young handle in a nursery's table.
 *
 * <pre>
 *   free ──claim──▶ taken ──close or promotion (who wins the handle's link)──▶ free
 * </pre>
 *
 * A slot refers to the nursery's token, never to the table: a living handle keeps its slot and the
 * token, but not its neighbours.
 */
final class Slot {
  private static final VarHandle OCCUPANT;

  static {
    try {
      OCCUPANT = MethodHandles.lookup().findVarHandle(Slot.class, "occupant", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final NurseryToken token;
  final int index;

  @SuppressWarnings("UnusedVariable") // only through OCCUPANT
  private volatile @Nullable Object occupant;

  Slot(NurseryToken token, int index) {
    this.token = token;
    this.index = index;
  }

  /**
   * The handle in this slot. Acquire pairs with {@link #publish} (its link is then visible) and
   * with {@link #vacate} (the record is then clear, so a new value cannot be wiped by a late
   * closer). Without it {@code SlotReuseStress} sees a value wiped.
   */
  @Nullable Object occupant() {
    return (Object) OCCUPANT.getAcquire(this);
  }

  @Nullable Object attachment() {
    Extras extras = token.extras;
    return extras == null ? null : extras.attachment(index);
  }

  /** Where its handle was opened, if that was recorded. */
  @Nullable Site site() {
    Extras extras = token.extras;
    return extras == null ? null : extras.site(index);
  }

  /** Keeps the token reachable to here, by a volatile read: see {@code Handle.leave}. */
  void keepToken() {
    if (occupant == this) {
      throw new AssertionError("a slot never holds a slot");
    }
  }

  /** Puts it in. Release: whoever sees it here sees its link and its extras. */
  void publish(Object of) {
    OCCUPANT.setRelease(this, of);
  }

  /** Takes a free slot of a shared nursery, where several threads claim. */
  boolean claimShared(Object claimed) {
    return OCCUPANT.compareAndSet(this, null, claimed);
  }

  /**
   * Empties a handle's slot, for the one that won the link. The record is cleared first, plainly:
   * the release store after it orders the two, and keeps the token reachable until then, so that a
   * releaser never reads a value that was closed.
   */
  void vacate() {
    if (token.extras != null) {
      token.extras.clear(index);
    }
    token.record[index] = 0;
    OCCUPANT.setRelease(this, null);
  }
}
