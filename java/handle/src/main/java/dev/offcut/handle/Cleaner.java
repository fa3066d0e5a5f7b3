package dev.offcut.handle;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * {@code java.lang.ref.Cleaner}'s methods on Offcut's net: changing one import is a migration.
 *
 * <p>An object's action runs once: when {@link Cleanable#clean} is called, on that thread, or some
 * time after the object became unreachable, on a thread of the net. As ever, the action must not
 * refer to the object.
 *
 * <p><b>Beyond the original.</b> What an action throws on a thread of the net is counted and
 * reported, a hanging action does not hold up the others, and {@link Handles#snapshot} counts
 * registrations as the type {@code cleaner}.
 *
 * <p><b>Less than the original.</b> An object registered since the last GC cycle is held until
 * then, at most until a sixteenth of the heap is filled: it is collected a cycle later than the
 * original's would be.
 */
public final class Cleaner {
  private static final HandleType SHARED = HandleType.forCleaner("cleaner", ReleaseLoop.shared());

  private final HandleType type;

  private Cleaner(HandleType type) {
    this.type = type;
  }

  /** A cleaner on the net's own threads, which all such cleaners share. */
  public static Cleaner create() {
    return new Cleaner(SHARED);
  }

  /** A cleaner whose actions run on a thread of {@code threadFactory}, which is started at once. */
  public static Cleaner create(ThreadFactory threadFactory) {
    Objects.requireNonNull(threadFactory, "threadFactory");
    Owner owner = new Owner();
    ReleaseLoop loop = ReleaseLoop.on(threadFactory, owner::isFinished);
    HandleType type = HandleType.forCleaner("cleaner", loop);
    Cleaner cleaner = new Cleaner(type);
    owner.own(cleaner, type);
    return cleaner;
  }

  /** Registers {@code obj}; {@code action} runs once it is unreachable or cleaned. */
  public Cleanable register(Object obj, Runnable action) {
    Objects.requireNonNull(obj, "obj");
    Objects.requireNonNull(action, "action");
    Registration registration = type == SHARED ? new Registration() : new OwnRegistration(type);
    type.register(registration, obj, action);
    return registration;
  }

  /** One registration. */
  public interface Cleanable extends java.lang.ref.Cleaner.Cleanable {
    /** Runs the action now, unless it ran already, and takes the registration out. */
    @Override
    void clean();
  }

  private static class Registration extends Handle implements Cleanable {
    Registration() {
      super(true);
    }

    @Override
    public final void clean() {
      close();
    }

    @Override
    protected HandleType type() {
      return SHARED;
    }
  }

  private static final class OwnRegistration extends Registration {
    private final HandleType type;

    OwnRegistration(HandleType type) {
      this.type = type;
    }

    @Override
    protected HandleType type() {
      return type;
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
