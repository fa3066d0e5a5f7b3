package dev.offcut.handle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The two words of a handle, and what places and families ask of it. The protocol stands in {@link
 * Handle}, the policies in {@link GuardedHandle}.
 */
abstract class HandleState {
  /** What a raw value is XOR-ed with; no canonical address. */
  static final long CODE = 0x9E37_79B9_7F4A_7C15L;

  static final VarHandle LINK;
  static final VarHandle ENCODED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LINK = lookup.findVarHandle(HandleState.class, "link", Object.class);
      ENCODED = lookup.findVarHandle(HandleState.class, "encoded", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The place: a slot or a tracker. Null or a {@link ClosedMark} once closed. */
  volatile @Nullable Object link;

  /** The raw value XOR {@link #CODE}; 0 while opening. */
  long encoded;

  final boolean isOpening() {
    return code() == 0;
  }

  /** The encoded value; 0 while opening. Acquire: pairs with {@link Handle#adopt}. */
  final long code() {
    return (long) ENCODED.getAcquire(this);
  }

  /** Sets the link of a new handle, before its slot is published. */
  final void start(Object slot) {
    LINK.set(this, slot); // plain: the slot's publish orders it
  }

  /** The promoter's half of rule 1 in {@link Handle}. */
  final boolean promote(Object from, Object to) {
    return LINK.compareAndSet(this, from, to);
  }

  static boolean isClosed(@Nullable Object link) {
    return link == null || link instanceof ClosedMark;
  }

  abstract TypeState typeState();

  abstract void closeHandle();

  /** Ends a use; true for the last one out, if it is to call {@link #finishClose}. */
  abstract boolean leave();

  /** Releases for a close that waited for a use or a child. */
  abstract void finishClose();

  abstract ClosedHandleException closedException();

  // What a family asks of a parent.

  boolean isClosing() {
    throw notGuarded();
  }

  /** Called by the family, under its lock, for its first child. */
  void becomeParent() {
    throw notGuarded();
  }

  /** Called by the family, under its lock, for its last child; true if that ends the close. */
  boolean ceaseParent() {
    throw notGuarded();
  }

  static AssertionError notGuarded() {
    return new AssertionError("only the close of a GuardedHandle waits, and it alone has children");
  }

  /**
   * The link of a closed handle at the levels that record sites: where it was opened and closed.
   */
  static final class ClosedMark {
    final @Nullable Site opened;
    final @Nullable Site closed;

    private ClosedMark(@Nullable Site opened, @Nullable Site closed) {
      this.opened = opened;
      this.closed = closed;
    }

    /** A mark for a handle opened at {@code opened}, or null where nothing is to be remembered. */
    static @Nullable ClosedMark of(@Nullable Site opened) {
      boolean full = Detection.recordsClosing(opened != null && opened.scope != null);
      if (opened == null && !full) {
        return null;
      }
      try {
        return new ClosedMark(opened, full ? Site.here() : null);
      } catch (OutOfMemoryError e) {
        return null; // closing matters more than remembering where
      }
    }
  }
}
