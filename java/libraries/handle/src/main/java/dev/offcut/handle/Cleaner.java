package dev.offcut.handle;

import dev.offcut.handle.NurseryToken.Extras;
import java.lang.ref.ReferenceQueue;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * A replacement for {@code java.lang.ref.Cleaner} that uses Offcut's net. It has the same methods,
 * so only the import changes.
 *
 * <p>The action of an object runs once. It runs on the thread that calls {@link Cleanable#clean},
 * or, some time after the object became unreachable, on a thread of the net or of this cleaner. The
 * action must not refer to the object, as with the original.
 *
 * <p><b>Beyond the original.</b> If an action throws on a thread of the net, the net counts and
 * reports it. A hanging action does not delay the others. {@link Handles#snapshot} counts
 * registrations as the type {@code cleaner}.
 *
 * <p><b>Like the original.</b> The net never keeps the object reachable.
 */
public final class Cleaner {
  private static final HandleType SHARED = HandleType.forCleaner("cleaner", ReleaseLoop.shared());

  // Constants of the class: a registration then loads fewer references.
  private static final Nurseries NURSERIES = SHARED.nurseries();
  private static final ReferenceQueue<Object> QUEUE = SHARED.loop().references();

  /** Of a cleaner with a thread of its own. */
  private final @Nullable HandleType own;

  private Cleaner(@Nullable HandleType own) {
    this.own = own;
  }

  /**
   * Makes a cleaner whose actions run on the net's own threads. All cleaners made by this method
   * share these threads.
   *
   * @return a new cleaner
   */
  public static Cleaner create() {
    return new Cleaner(null);
  }

  /**
   * Makes a cleaner whose actions run on a thread of its own. The thread starts at once.
   *
   * @param threadFactory makes the thread, and a replacement if the thread dies or hangs
   * @return a new cleaner
   */
  public static Cleaner create(ThreadFactory threadFactory) {
    Objects.requireNonNull(threadFactory, "threadFactory");
    Owner owner = new Owner();
    ReleaseLoop loop = ReleaseLoop.on(threadFactory, owner::isFinished);
    HandleType type = HandleType.forCleaner("cleaner", loop);
    Cleaner cleaner = new Cleaner(type);
    owner.own(cleaner, type);
    return cleaner;
  }

  /**
   * Registers an object. If this method throws an {@link OutOfMemoryError}, nothing was registered.
   *
   * @param obj the object to watch; the cleaner does not keep it reachable
   * @param action runs once, when {@code obj} is unreachable or cleaned; it must not refer to
   *     {@code obj}
   * @return the registration; its {@code clean} runs the action at once
   */
  public Cleanable register(Object obj, Runnable action) {
    Objects.requireNonNull(obj, "obj");
    Objects.requireNonNull(action, "action");
    StackProbe.check();
    if (own != null || Detection.isSiteRecorded()) {
      return Rich.register(own == null ? SHARED : own, obj, action);
    }
    Shared registration = new Shared(obj, action);
    registration.enter(NURSERIES.claim(null), obj);
    return registration;
  }

  /** One registration. */
  public interface Cleanable extends java.lang.ref.Cleaner.Cleanable {
    /** Runs the action now, unless it ran already, and removes the registration. */
    @Override
    void clean();
  }

  /** A registration without a field for its type. */
  private static final class Shared extends Registration implements Cleanable {
    Shared(Object referent, Runnable action) {
      super(QUEUE, referent, action);
    }

    @Override
    Nurseries nurseries() {
      return NURSERIES;
    }
  }

  /** A registration of a cleaner with a thread of its own, or one whose site was recorded. */
  static final class Rich extends Registration implements Cleanable {
    private final Nurseries nurseries;
    private @Nullable Site site;

    /** Registers; what memory does not allow fails before anything is registered. */
    static Rich register(HandleType type, Object referent, Runnable action) {
      Rich registration = new Rich(type, referent, action);
      registration.enter(type.nurseries().claim(null), referent);
      return registration;
    }

    Rich(HandleType type, Object referent, Runnable action) {
      super(type.loop().references(), referent, action);
      nurseries = type.nurseries();
    }

    @Override
    Nurseries nurseries() {
      return nurseries;
    }

    @Override
    void takeSite(Slot slot) {
      Extras extras = slot.token.extras;
      if (extras != null) {
        site = extras.site(slot.index);
        extras.clearSite(slot.index);
      }
    }

    @Override
    @Nullable Site site() {
      return site;
    }
  }

  /** Tells a cleaner's own thread when it is no longer needed, without keeping the cleaner. */
  private static final class Owner {
    private volatile @Nullable WeakCleaner cleaner;

    void own(Cleaner of, HandleType type) {
      cleaner = new WeakCleaner(of, type);
    }

    boolean isFinished() {
      WeakCleaner of = cleaner;
      return of != null && of.refersTo(null) && of.type.isIdle();
    }
  }

  private static final class WeakCleaner extends java.lang.ref.WeakReference<Cleaner> {
    private final HandleType type;

    WeakCleaner(Cleaner cleaner, HandleType type) {
      super(cleaner);
      this.type = type;
    }
  }
}
