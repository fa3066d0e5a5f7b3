package dev.offcut.handle;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The active nurseries of one type. A platform thread finds its own by a hash of its id and one
 * comparison with the owner; threads whose place another living thread has, and virtual threads,
 * share a few stripes.
 */
final class Nurseries {
  static final int STRIPES =
      Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 2 - 1) * 2;

  /**
   * How many platform threads can have a nursery of their own. Each place takes 4 bytes of each
   * type.
   */
  private static final int DIRECTORY = 512;

  /** Slots of a first shared nursery. */
  private static final int SHARED_SLOTS = Settings.MIN_SLOTS * 4;

  /** Stands in a shared slot between its claim and its handle. */
  private static final Object CLAIMED = new Object();

  /**
   * The JDK's class of virtual threads; null before JDK 21. {@code Thread.isVirtual} came with 21,
   * and the JVM makes code for a call through a method handle, for which the first handle of a
   * program would wait.
   */
  private static final @Nullable Class<?> VIRTUAL = findVirtual();

  final HandleType type;

  /** Where they are promoted to. */
  final Registry registry;

  /**
   * By thread id. Read without ordering: a nursery whose owner is the reading thread was made and
   * put here by it, and any other only sends it to the slow path.
   */
  private final @Nullable Nursery[] directory = new Nursery[DIRECTORY];

  private final AtomicReferenceArray<@Nullable Nursery> stripes =
      new AtomicReferenceArray<>(STRIPES);

  /** Places that openers were given since one of them last waited for the releasing thread. */
  private final AtomicInteger places = new AtomicInteger();

  Nurseries(HandleType type, Registry registry) {
    this.type = type;
    this.registry = registry;
  }

  /** A slot for a new handle: free and the caller's to publish in. */
  Slot claim(Handle handle) {
    Thread thread = Thread.currentThread();
    Nursery nursery = directory[place(thread)];
    if (nursery != null && nursery.owner == thread) {
      Slot slot = nursery.claimNext();
      if (slot != null) {
        return slot;
      }
    }
    return claimSlowly(handle, thread);
  }

  @SuppressWarnings("deprecation") // threadId() came with 19; as a hash either will do
  private static int place(Thread thread) {
    return (int) thread.getId() & (DIRECTORY - 1);
  }

  private Slot claimSlowly(Handle handle, Thread thread) {
    type.checkClass(handle);
    if (isVirtual(thread)) {
      return claimShared(thread);
    }
    int slots = Settings.MIN_SLOTS;
    while (true) {
      int at = place(thread);
      Nursery own = directory[at];
      if (own != null && own.owner instanceof Thread other && other != thread && other.isAlive()) {
        return claimShared(thread);
      }
      if (own != null && own.owner == thread) {
        Slot slot = own.claimSlowly();
        if (slot != null) {
          return slot;
        }
        slots = makeRoom(own, Settings.MIN_SLOTS);
        if (own.owner == thread) {
          continue;
        }
      }
      countPlaces(slots);
      Nursery fresh = Nursery.create(this, thread, slots);
      install(at, fresh);
    }
  }

  /**
   * Makes room where a nursery is full, or its table is gone; returns the size of the next one. A
   * nursery is retired in favour of one of twice the size. Two are promoted here and now, by the
   * opener: a first one until it has seen enough claims to be worth a larger table, and the
   * largest, since a backlog left to the reaper alone would never recover in a full heap.
   */
  private int makeRoom(Nursery full, int least) {
    if (full.isTableGone()) {
      full.owner = null;
      return least;
    }
    boolean first = full.capacity() == least && full.hasFewClaims();
    if (!first && full.capacity() < Settings.MAX_SLOTS) {
      full.owner = null;
      return full.capacity() * 2;
    }
    if (Promotion.of(full) > full.capacity() / 2) {
      full.owner = null; // mostly openings that take long: leave them to the reaper
    } else {
      countPlaces(full.capacity());
    }
    return full.capacity();
  }

  /**
   * Back-pressure. Openers of a type get so many places at most between two moments at which the
   * queue of what is to be released was empty, and each of them one nursery more. What the
   * collector has not found yet fills the heap no more than any garbage does.
   */
  private void countPlaces(int more) {
    addPlaces(more);
    awaitReleases();
  }

  /** Counts places without a wait, for a caller that holds a lock. */
  void addPlaces(int more) {
    places.addAndGet(more);
  }

  /** Waits if so many places were given that a wait is due. */
  void awaitReleases() {
    if (places.get() >= Settings.PLACES_A_WAIT) {
      places.set(0);
      type.loop.awaitEmpty();
    }
  }

  private synchronized void install(int at, Nursery fresh) {
    directory[at] = fresh;
  }

  Slot claimShared(Thread thread) {
    int stripe = spread(thread) & (STRIPES - 1);
    int slots = SHARED_SLOTS;
    while (true) {
      Nursery shared = stripes.get(stripe);
      if (shared != null && shared.owner != null) {
        Slot slot = shared.claimShared(CLAIMED);
        if (slot != null) {
          return slot;
        }
        slots = makeRoom(shared, SHARED_SLOTS);
        if (shared.owner != null) {
          continue;
        }
      }
      countPlaces(slots);
      Nursery fresh = Nursery.create(this, Nursery.SHARED, slots);
      if (!stripes.compareAndSet(stripe, shared, fresh)) {
        fresh.owner = null; // another thread was first; the reaper gives this one back
      }
    }
  }

  @SuppressWarnings("deprecation") // as in place
  private static int spread(Thread thread) {
    return (int) ((thread.getId() * Handle.CODE) >>> 40);
  }

  /** Forgets a nursery that the reaper drops, so that a thread at rest does not hold it. */
  synchronized void unlink(Nursery nursery) {
    for (int i = 0; i < directory.length; i++) {
      if (directory[i] == nursery) {
        directory[i] = null;
      }
    }
    for (int i = 0; i < STRIPES; i++) {
      stripes.compareAndSet(i, nursery, null);
    }
  }

  private static boolean isVirtual(Thread thread) {
    return VIRTUAL != null && VIRTUAL.isInstance(thread);
  }

  private static @Nullable Class<?> findVirtual() {
    try {
      return Class.forName("java.lang.BaseVirtualThread", false, null);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }
}
