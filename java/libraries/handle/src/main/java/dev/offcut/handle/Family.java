package dev.offcut.handle;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open children of one parent: how many, and, where closing cascades, which.
 *
 * <pre>
 *   parent handle ──▶ family ◀── attachment ── each open child's slot or tracker
 *         ▲ phantom     │ ▲
 *         └── tracker ◀─┘ └── tracker
 * </pre>
 *
 * A child's attachment is the family, never the parent handle: a parent that keeps its children in
 * a field can still be found forgotten, with all of them. The order holds all the same: the
 * parent's tracker does not release while children are open; the last child's end does it then.
 */
final class Family {
  private final WeakReference<GuardedHandle> parent;
  private @Nullable Tracker tracker; // set before the link names it, then constant
  private int open; // guarded by this, as are the rest
  private volatile boolean closing; // written under the monitor
  private boolean orphaned;
  private @Nullable Member youngest;

  Family(GuardedHandle parent) {
    this.parent = new WeakReference<>(parent);
  }

  /** A child's place in its family, where closing cascades. */
  static final class Member extends WeakReference<Handle> {
    final Family family;
    private @Nullable Member older;
    private @Nullable Member younger;

    Member(Handle child, Family family) {
      super(child);
      this.family = family;
    }
  }

  /** The parent's tracker: a parent is tenured at its first child. */
  void trackedBy(Tracker place) {
    tracker = place;
  }

  synchronized int open() {
    return open;
  }

  /**
   * Notes whether the parent was closed while children are open. It is asked here, under the lock:
   * a close that gives up and one that begins may come here in either order.
   */
  synchronized void noteClosing(GuardedHandle of) {
    closing = of.isClosing();
  }

  synchronized Object add(Handle child, GuardedHandle of, boolean listed) {
    Member member = listed ? new Member(child, this) : null;
    if (open == 0) {
      of.becomeParent();
    } else if (of.isClosing()) {
      throw of.closedException();
    }
    open++;
    if (member == null) {
      return this;
    }
    member.older = youngest;
    if (youngest != null) {
      youngest.younger = member;
    }
    youngest = member;
    return member;
  }

  /** Counts a child out, and releases the parent after the last one if it waited for that. */
  static void leave(@Nullable Object attachment) {
    if (attachment != null) {
      finish(remove(attachment));
    }
  }

  /**
   * Counts a child out. Returns the parent, if it was closed or forgotten before and waited for
   * this child, for {@link #finish}.
   */
  private static @Nullable Object remove(Object attachment) {
    if (attachment instanceof Member member) {
      return member.family.remove(member);
    }
    return attachment instanceof Family family ? family.remove(null) : null;
  }

  private synchronized @Nullable Object remove(@Nullable Member member) {
    Object last = null;
    if (open == 1) {
      GuardedHandle alive = parent.get();
      if (alive == null) {
        last = closing || orphaned ? this : null;
      } else if (alive.ceaseParent()) {
        last = alive;
      }
    }
    open--;
    if (member != null) {
      if (member.younger == null) {
        youngest = member.older;
      } else {
        member.younger.older = member.older;
      }
      if (member.older != null) {
        member.older.younger = member.younger;
      }
    }
    return last;
  }

  /** Releases a parent whose last child is gone. */
  private static void finish(@Nullable Object last) {
    if (last instanceof GuardedHandle closed) {
      closed.closeProbed();
    } else if (last instanceof Family family && family.tracker != null) {
      family.tracker.releaseLast(!family.closing);
    }
  }

  /** The parent handle is gone: true if the net may release it now, else its last child will. */
  synchronized boolean orphan() {
    orphaned = true;
    return open == 0;
  }

  /**
   * Closes the open children, the youngest first. One that is forgotten is left to the net, one
   * that is being opened to its opener; the parent waits for both. The first refusal is thrown at
   * the end.
   */
  void closeAll() {
    Throwable refused = null;
    for (Handle child : children()) {
      try {
        child.closeHandle();
      } catch (RuntimeException | Error e) {
        if (refused == null) {
          refused = e;
        } else if (refused != e) {
          refused.addSuppressed(e);
        }
      }
    }
    if (refused instanceof Error error) {
      throw error;
    } else if (refused instanceof RuntimeException exception) {
      throw exception;
    }
  }

  private synchronized List<Handle> children() {
    List<Handle> children = new ArrayList<>(open);
    for (Member member = youngest; member != null; member = member.older) {
      Handle child = member.get();
      if (child != null && !child.isOpening()) {
        children.add(child);
      }
    }
    return children;
  }
}
