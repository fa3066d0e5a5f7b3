package dev.offcut.handle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * The tenured place of one handle: a PhantomReference that holds the raw value and, through its
 * registry segment, the type. 40 bytes.
 *
 * <pre>
 *   TENTATIVE (value 0, in the registry) ──link moved──▶ CONFIRMED ──removed from its cell──▶ gone
 *            └──link lost──▶ gone
 * </pre>
 *
 * Who removes it from its cell releases, closer or net. A tentative tracker releases nothing, so a
 * promoter that loses the handle to a closer cannot cause a double release, however late it is.
 */
class Tracker extends Segment.Cell {
  private static final int CONFIRM_SPINS = 1_000;
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(Tracker.class, "value", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * 0 while tentative. Its promoter stores it plainly, after the link has moved and before the slot
   * is emptied by a release: the handle stays reachable through its slot until then, so the net,
   * which comes after the collector, finds it.
   */
  long value;

  Tracker(Object referent, ReferenceQueue<Object> queue) {
    super(referent, queue);
  }

  /** The cheapest tracker that keeps what there is to keep. */
  static Tracker of(
      Object referent, HandleType type, @Nullable Object attachment, @Nullable Site site) {
    ReferenceQueue<Object> queue = type.loop.references();
    return attachment == null && site == null
        ? new Tracker(referent, queue)
        : new Rich(referent, queue, attachment, site);
  }

  /** The value, or 0 if the promoter is still between moving the link and confirming. */
  private long awaitConfirmed() {
    long code = 0;
    for (int i = 0; i < CONFIRM_SPINS && code == 0; i++) {
      code = (long) VALUE.getAcquire(this); // again and again, so not plainly
      if (code == 0) {
        Thread.onSpinWait();
      }
    }
    return code;
  }

  @Nullable Object attachment() {
    return null;
  }

  @Override
  @Nullable Site site() {
    return null;
  }

  /** Whether the net must leave the release to a last child. */
  boolean waitsForChildren() {
    return false;
  }

  @Override
  public final Step releaseOne(Tally tally) {
    Segment segment = Segment.of(index());
    if (segment == null || segment.get(index()) != this || waitsForChildren()) {
      return Step.DONE; // closed, or taken back by its promoter, or left to the last child
    }
    long code = awaitConfirmed();
    if (code == 0) {
      return Step.LATER;
    }
    if (Segment.remove(this)) {
      Forgotten.release(segment.registry.type, code, attachment(), site(), tally);
    }
    return Step.DONE;
  }

  /**
   * Releases a parent whose handle is gone, after its last child, on that child's thread. Nothing
   * is allocated before the release.
   */
  final void releaseLast(boolean forgotten) {
    Segment segment = Segment.of(index());
    long code = awaitConfirmed();
    if (segment == null || code == 0 || !Segment.remove(this)) {
      return;
    }
    if (forgotten) {
      Forgotten.release(segment.registry.type, code, attachment(), site(), null);
      Listeners.reportForgotten(segment.registry.type, site(), 1);
    } else {
      try {
        Site.noteClosed(site());
        segment.registry.type.release(code, attachment());
      } finally {
        Family.leave(attachment());
      }
    }
  }

  /** A tracker with an attachment or a site. */
  static class Rich extends Tracker {
    private final @Nullable Object attachment;
    private final @Nullable Site site;

    Rich(
        Object referent,
        ReferenceQueue<Object> queue,
        @Nullable Object attachment,
        @Nullable Site site) {
      super(referent, queue);
      this.attachment = attachment;
      this.site = site;
    }

    @Override
    final @Nullable Object attachment() {
      return attachment;
    }

    @Override
    final @Nullable Site site() {
      return site;
    }
  }

  /** The tracker of a handle that has, or had, children. */
  static final class OfParent extends Rich {
    final Family family;

    OfParent(
        Object referent,
        HandleType type,
        @Nullable Object attachment,
        @Nullable Site site,
        Family family) {
      super(referent, type.loop.references(), attachment, site);
      this.family = family;
    }

    @Override
    boolean waitsForChildren() {
      return !family.orphan();
    }
  }
}
