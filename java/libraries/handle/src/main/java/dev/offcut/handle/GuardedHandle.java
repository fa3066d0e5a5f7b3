package dev.offcut.handle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A handle that is protected against a close while it is in use or has open children. It takes 8
 * bytes more than a {@link Handle}. The {@link CloseInUse} and {@link CloseWithChildren} of its
 * type decide what such a close does.
 *
 * <p><b>Threads.</b> Any number of threads may call {@code with}, {@code beginUse} and {@code
 * close}. A deferred release runs on the thread that ends the last use or closes the last child, or
 * on a thread of the net. Under {@link CloseInUse#WAIT}, do not close a handle inside a use of it:
 * that close waits until the limit and then throws.
 */
public abstract class GuardedHandle extends Handle {
  /*
   * state:   bit 31 CLOSING   bit 30 PARENT (open children)   bits 0–29 uses
   *
   *   0 or more uses, children ──close──▶ CLOSING + what is left ──last one out──▶ CLOSING ──▶ released
   *
   * No use and no child is added while CLOSING is set. So exactly one thread sees the state become
   * CLOSING alone, and this thread releases the resource. A close that waits may clear CLOSING again,
   * but only while a use is left.
   */
  private static final int CLOSING = 1 << 31;
  private static final int PARENT = 1 << 30;
  private static final int USES = PARENT - 1;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(GuardedHandle.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int state;
  private volatile @Nullable Family family;

  /** Makes a handle as {@link Handle#Handle()} does. */
  protected GuardedHandle() {}

  /**
   * Makes a handle as {@link Handle#Handle(GuardedHandle)} does.
   *
   * @param parent an open handle, of the type that {@link HandleType.Builder#childOf} was given
   */
  protected GuardedHandle(GuardedHandle parent) {
    super(parent);
  }

  /** As {@link Handle#Handle(boolean)}. */
  GuardedHandle(boolean reserveLater) {
    super(reserveLater);
  }

  @Override
  final long enter() {
    StackProbe.check(); // for the end of the use as well, in the same frame
    long raw = super.enter();
    while (true) {
      int s = state;
      if (s < 0) {
        throw closedException();
      }
      if ((s & USES) == USES) {
        throw new HandleBusyException(this + ": in use " + USES + " times, the most there can be");
      }
      if (STATE.compareAndSet(this, s, s + 1)) {
        return raw; // the handle was open when this use was counted, so nobody has released it
      }
    }
  }

  /**
   * Returns true for the last use to end, if it has to release. The count changes by
   * compare-and-set: a count that was decremented first and corrected later would look like a close
   * in between.
   */
  @Override
  final boolean leave() {
    while (true) {
      int s = state;
      if ((s & USES) == 0) {
        throw new IllegalStateException(this + ": endUse() without beginUse()");
      }
      boolean last = s - 1 == CLOSING && type().closeInUse != CloseInUse.WAIT;
      if (STATE.compareAndSet(this, s, s - 1)) {
        return last;
      }
    }
  }

  @Override
  final boolean closed() {
    return state < 0 || super.closed();
  }

  @Override
  final void closeHandle() {
    StackProbe.check();
    checkOpened(); // if open() returns meanwhile, the handle is open and is closed below
    while (true) {
      int s = state;
      if (s < 0) {
        return;
      }
      String refused = refusal(s);
      if (refused != null) {
        throw new HandleBusyException(refused);
      }
      if (STATE.compareAndSet(this, s, s | CLOSING)) {
        if (s == 0) {
          closeProbed();
        } else {
          closeBusy(s);
        }
        return;
      }
    }
  }

  private @Nullable String refusal(int s) {
    if ((s & PARENT) != 0 && type().closeWithChildren == CloseWithChildren.REFUSE) {
      return this
          + ": not closed, it has "
          + openChildren()
          + " open children; close them first, or let the type cascade or defer";
    }
    if ((s & USES) != 0 && type().closeInUse == CloseInUse.REFUSE) {
      return this
          + ": not closed, it is in use by "
          + (s & USES)
          + " calls; close it after they returned, or let the type defer or wait";
    }
    return null;
  }

  /** CLOSING is set, and something is left. */
  private void closeBusy(int before) {
    Family children = family;
    try {
      if ((before & PARENT) != 0 && children != null) {
        children.noteClosing(this);
        if (type().closeWithChildren == CloseWithChildren.CASCADE) {
          children.closeAll();
        }
      }
    } finally {
      // Also when a child refused: under WAIT the last user leaves the release to this thread.
      if ((before & USES) != 0 && type().closeInUse == CloseInUse.WAIT) {
        awaitUsers();
      }
    }
  }

  private void awaitUsers() {
    long deadline = System.nanoTime() + type().waitNanos; // an overflow cancels out below
    boolean interrupted = false;
    long pause = 1_000;
    while (true) {
      int s = state;
      if ((s & USES) == 0) {
        if (s == CLOSING) {
          closeProbed(); // not the last user: what waited returns after the release
        }
        return; // else the last child does
      }
      interrupted |= Thread.interrupted();
      boolean over = interrupted || System.nanoTime() - deadline >= 0;
      if (over && STATE.compareAndSet(this, s, s & ~CLOSING)) {
        break;
      }
      LockSupport.parkNanos(this, pause);
      pause = Math.min(pause * 2, 1_000_000);
    }
    Family children = family;
    if (children != null) {
      children.noteClosing(this);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    throw new HandleBusyException(
        this
            + ": not closed; "
            + (state & USES)
            + " calls still use it after "
            + (interrupted
                ? "the wait was interrupted"
                : "a wait of " + HandleType.seconds(type().waitLimit))
            + "; close it again later");
  }

  // Children.

  private int openChildren() {
    Family children = family;
    return children == null ? 0 : children.open();
  }

  /** Counts a child in; what it returns is the child's attachment. */
  final Object addChild(Handle child) {
    if (isOpening()) {
      throw new IllegalStateException(this + ": takes no child before its native open returned");
    }
    Family children = family;
    if (children == null) {
      children = beginFamily();
    }
    return children.add(child, this, type().closeWithChildren == CloseWithChildren.CASCADE);
  }

  private Family beginFamily() {
    Family children = trackAsParent(new Family(this)); // the link decides which of two it is
    family = children;
    return children;
  }

  /** Called by the family, under its lock, for its first child. */
  final void becomeParent() {
    while (true) {
      int s = state;
      if (s < 0 || super.closed()) {
        throw closedException();
      }
      if (STATE.compareAndSet(this, s, s | PARENT)) {
        return;
      }
    }
  }

  /** Called by the family, under its lock, for its last child; true if that ends the close. */
  final boolean ceaseParent() {
    return ((int) STATE.getAndBitwiseAnd(this, ~PARENT) & ~PARENT) == CLOSING;
  }

  final boolean isClosing() {
    return state < 0;
  }
}
