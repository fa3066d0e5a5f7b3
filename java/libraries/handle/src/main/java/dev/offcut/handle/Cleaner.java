package dev.offcut.handle;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

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

  private final HandleType type;

  private Cleaner(HandleType type) {
    this.type = type;
  }

  /**
   * Makes a cleaner whose actions run on the net's own threads. All cleaners made by this method
   * share these threads.
   *
   * @return a new cleaner
   */
  public static Cleaner create() {
    return new Cleaner(SHARED);
  }

  /**
   * Makes a cleaner whose actions run on a thread of its own. The thread starts at once.
   *
   * @param threadFactory makes the thread, and a replacement if the thread dies or hangs
   * @return a new cleaner
   */
  public static Cleaner create(ThreadFactory threadFactory) {
    Objects.requireNonNull(threadFactory, "threadFactory");
    ReleaseLoop loop = new ReleaseLoop(threadFactory);
    HandleType type = HandleType.forCleaner("cleaner", loop);
    Cleaner cleaner = new Cleaner(type);
    WeakReference<Cleaner> weak = new WeakReference<>(cleaner);
    loop.begin(() -> weak.refersTo(null) && type.registry.isEmpty());
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
    try {
      return Registration.open(type, obj, action);
    } finally {
      Reference.reachabilityFence(this); // its own thread must not end meanwhile
    }
  }

  /** One registration. */
  public interface Cleanable extends java.lang.ref.Cleaner.Cleanable {
    /** Runs the action now, unless it ran already, and removes the registration. */
    @Override
    void clean();
  }
}
