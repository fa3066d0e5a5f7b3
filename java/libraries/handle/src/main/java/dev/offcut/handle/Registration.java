package dev.offcut.handle;

import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * One registration of a {@code Cleaner}: the PhantomReference on its object, and what holds its
 * action. It is in a cell of the registry from the start: an object does not refer to its
 * registration, so nothing would lead to it from a nursery.
 *
 * <p>The cell decides. Who empties it, by a compare-and-set, runs the action: a cleaner, or the
 * net.
 *
 * <p>Nothing of the net holds the object: the collector finds it in the cycle in which it would
 * find it under {@code java.lang.ref.Cleaner}.
 */
final class Registration extends Segment.Cell implements Cleaner.Cleanable {
  private final HandleType type;
  private final Runnable action;
  private final @Nullable Site site;

  private Registration(HandleType type, Object referent, Runnable action, @Nullable Site site) {
    super(referent, type.loop.references());
    this.type = type;
    this.action = action;
    this.site = site;
  }

  /**
   * Registers an object. Nothing is thrown once the registration is in its cell: a caller who heard
   * that it failed would run the action, too.
   */
  @SuppressWarnings("ReachabilityFenceUsage") // if anything before it throws, nothing is registered
  static Registration open(HandleType type, Object referent, Runnable action) {
    StackProbe.check();
    type.nurseries.awaitReleases();
    Site site = Site.sampled(type, Detection.current());
    Registration made = new Registration(type, referent, action, site);
    type.registry.insertByThread(made);
    if (site != null) {
      site.noteOpened();
    }
    // A Cleanable that reaches another thread by a race finds its cell. No test fails without it:
    // x86 keeps the order of stores.
    VarHandle.storeStoreFence();
    Reference.reachabilityFence(referent); // else the net could find it before it is there
    return made;
  }

  @Override
  @Nullable Site site() {
    return site;
  }

  /** Runs the action, unless it ran already: a cleaner's {@code Cleanable.clean}. */
  @Override
  public void clean() {
    StackProbe.check();
    if (Segment.remove(this)) {
      Site.noteClosed(site);
      type.release(0, action);
    }
  }

  @Override
  public Step releaseOne(Tally tally) {
    if (Segment.remove(this)) {
      Forgotten.release(type, 0, action, site, tally);
    }
    return Step.DONE;
  }
}
