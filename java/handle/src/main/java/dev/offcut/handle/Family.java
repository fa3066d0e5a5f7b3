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
  private @Nullable Tracker tracker; // set before the first child, then constant
  private int open; // guarded by this, as are the rest
  private boolean closing;
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

  /** Says that the parent was closed, or that it is not after all, while children are open. */
  synchronized void closing(boolean now) {
    closing = now;
  }

  /** Counts a child in; returns its attachment. */
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

  /**
   * Counts a child out. After the last one, releases a parent that was closed or forgotten before.
   */
  void remove(@Nullable Member member) {
    GuardedHandle closed = null;
    Tracker left = null;
    boolean forgotten;
    synchronized (this) {
      if (member != null) {
        unlink(member);
      }
      if (--open > 0) {
        return;
      }
      GuardedHandle alive = parent.get();
      if (alive == null) {
        left = closing || orphaned ? tracker : null;
      } else if (alive.ceaseParent()) {
        closed = alive;
      }
      forgotten = !closing;
    }
    if (closed != null) {
      closed.finishClose();
    } else if (left != null) {
      left.releaseLast(forgotten);
    }
  }

  /** The parent handle is gone: true if the net may release it now, else its last child will. */
  synchronized boolean orphan() {
    orphaned = true;
    return open == 0;
  }

  private synchronized void unlink(Member member) {
    if (member.younger == null) {
      youngest = member.older;
    } else {
      member.younger.older = member.older;
    }
    if (member.older != null) {
      member.older.younger = member.younger;
    }
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
        child.close();
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

  /** Resolves what this class catches: the first time needs memory, see {@link Warmup}. */
  @SuppressWarnings("EmptyCatch")
  static void warm() {
    try {
      Warmup.raise(new RuntimeException());
    } catch (RuntimeException e) {
      // seen once
    }
    try {
      Warmup.raise(new Error());
    } catch (Error e) {
      // seen once
    }
  }
}
