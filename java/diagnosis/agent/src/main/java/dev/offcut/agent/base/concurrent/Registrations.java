package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * What is registered with the program's cleaners. The one that the JDK has for itself stays out:
 * what it cleans are buffers, arenas and streams.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing but what
 * the program's actions do.
 */
public final class Registrations {
  /** Of the JDK's cleaners, if they were not given one of the program. */
  private static final String THREAD = "jdk.internal.misc.InnocuousThread";

  /**
   * Those that clean what the collector found. Replaced when there is another; a thread that has
   * ended, and the loader of its class, may go.
   */
  private static volatile List<WeakReference<Thread>> cleaning = List.of();

  private Registrations() {}

  /** What is to run in the place of an action: it counts, and runs that. */
  public static Runnable of(Cleaner cleaner, Runnable action) {
    if (cleaner == Stock.Cleaners.cleaner()) {
      return action;
    }
    try {
      Runnable registration = new Registration(action, Samples.opened(Kind.CLEANER, 0));
      return registration;
    } catch (Throwable e) {
      return action; // no memory is left: then it counts as open
    }
  }

  /** A cleaner's own thread cleans what the collector found. */
  public static void clean(Cleaner.Cleanable found) {
    Thread thread = Thread.currentThread();
    if (!isCleaning(thread)) {
      add(thread);
    }
    found.clean();
  }

  private static synchronized void add(Thread thread) {
    List<WeakReference<Thread>> all = new ArrayList<>();
    for (WeakReference<Thread> known : cleaning) {
      if (!known.refersTo(null)) {
        all.add(known);
      }
    }
    all.add(new WeakReference<>(thread));
    cleaning = all;
  }

  private static boolean isCleaning(Thread thread) {
    List<WeakReference<Thread>> all = cleaning;
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).refersTo(thread)) {
        return true;
      }
    }
    return false;
  }

  /** An action, and where it was registered. */
  private static final class Registration implements Runnable {
    private final Runnable action;
    private final int token;

    Registration(Runnable action, int token) {
      this.action = action;
      this.token = token;
    }

    @Override
    public void run() {
      Thread thread = Thread.currentThread();
      // The second: a thread that was in its loop before the agent came.
      boolean late = isCleaning(thread) || thread.getClass().getName().equals(THREAD);
      int kind = Probes.kind(Kind.CLEANER, token);
      if (late) {
        Counts.collected(kind, 0);
      } else {
        Counts.closed(kind, 0);
      }
      Sites.ended(token, late ? Counts.COLLECTED : Counts.CLOSED, 0);
      action.run();
    }
  }
}
