package dev.offcut.handle;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The active nurseries of one type. A platform thread finds its own by a hash of its id and one
 * comparison with the owner; threads that share a hash, and virtual threads, share a few stripes.
 */
final class Nurseries {
  private static final int STRIPES =
      Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 2 - 1) * 2;
  private static final int MAX_DIRECTORY = 4096;

  /** Slots of a first shared nursery. */
  private static final int SHARED_SLOTS = Settings.MIN_SLOTS * 4;

  /** Up to here an opener grows the directory: it allocates 2 KiB at most. */
  private static final int OPENERS_DIRECTORY = 256;

  /** Stands in a shared slot between its claim and its handle. */
  private static final Object CLAIMED = new Object();

  /**
   * The JDK's class of virtual threads; null if this JDK has none of this name. No call of {@code
   * Thread.isVirtual}, which came with 21: the JVM makes code for a call through a method handle,
   * and the first handle of a program would wait for that.
   */
  private static final @Nullable Class<?> VIRTUAL = findVirtual();

  /** {@code Thread.isVirtual}, for a JDK that has it without the class; else null. */
  private static final @Nullable MethodHandle IS_VIRTUAL = VIRTUAL == null ? findIsVirtual() : null;

  final TypeState type;

  /** Where they are promoted to. */
  final Registry registry;

  /**
   * By thread id. Read without ordering: a nursery whose owner is the reading thread was made by
   * it, whoever put it here, and any other only sends it to the slow path.
   */
  private @Nullable Nursery[] directory = new Nursery[16];

  /**
   * For an index before the directory's length is known: the processor reads the two side by side.
   * Plain, and for a moment that of another directory: then the opener finds no nursery there, or
   * not its own, and takes the slow path.
   */
  private int mask = directory.length - 1;

  private final AtomicReferenceArray<@Nullable Nursery> stripes =
      new AtomicReferenceArray<>(STRIPES);
  private int collisions;

  /** Places that openers were given since one of them last waited for the releasing thread. */
  private final AtomicInteger places = new AtomicInteger();

  Nurseries(TypeState type, Registry registry) {
    this.type = type;
    this.registry = registry;
  }

  /** A slot for a new handle, null for a registration: free and the caller's to publish in. */
  @SuppressWarnings("deprecation") // see hash
  Slot claim(@Nullable HandleState handle) {
    Thread thread = Thread.currentThread();
    @Nullable Nursery[] all = directory;
    int at = (int) thread.getId() & mask;
    Nursery nursery = at < all.length ? all[at] : null;
    if (nursery != null && nursery.owner == thread) {
      Slot slot = nursery.claimNext();
      if (slot != null) {
        return slot;
      }
    }
    return claimSlowly(handle, thread);
  }

  @SuppressWarnings("deprecation") // threadId() came with 19; as a hash either will do
  private static int hash(Thread thread, @Nullable Nursery[] all) {
    return (int) thread.getId() & (all.length - 1);
  }

  private Slot claimSlowly(@Nullable HandleState handle, Thread thread) {
    type.checkClass(handle);
    if (isVirtual(thread)) {
      return claimShared(thread);
    }
    int slots = Settings.MIN_SLOTS;
    while (true) {
      @Nullable Nursery[] all = directory;
      int at = hash(thread, all);
      Nursery own = all[at];
      if (own != null && own.owner instanceof Thread other && other != thread) {
        if (!other.isAlive()) {
          if (own.inherit(other, thread)) {
            continue;
          }
        } else if (growAfterCollision(all)) {
          continue;
        } else {
          return claimShared(thread);
        }
      }
      if (own != null && own.owner == thread) {
        Slot slot = own.claimSlowly();
        if (slot != null) {
          return slot;
        }
        slots = makeRoom(own, slots);
        if (own.owner == thread) {
          continue;
        }
      } else if (own != null && own.wasLastOf(thread)) {
        slots = Math.max(slots, own.nextCapacity());
      }
      countPlaces(slots);
      Nursery fresh = Nursery.create(this, thread, slots);
      install(at, all, fresh);
    }
  }

  /**
   * The owner's nursery is full, or its table is gone. A small one is retired in favour of one of
   * twice the size. The owner promotes two here and now: a first one until it has seen enough
   * claims to be worth a larger table, and the largest, since a backlog left to the reaper alone
   * would never recover in a full heap. One that others filled is retired in favour of what its
   * owner has shown to need. Returns the size of the next nursery.
   */
  private int makeRoom(Nursery own, int slots) {
    if (own.isTableGone()) {
      own.owner = null;
      return slots;
    }
    int needed = own.largerCapacity();
    boolean first = own.capacity() == Settings.MIN_SLOTS && own.hasFewClaims();
    if (!first && (own.capacity() < Settings.MAX_SLOTS || needed < Settings.MAX_SLOTS)) {
      own.owner = null;
      return needed;
    }
    if (Promotion.of(own) > own.capacity() / 2) {
      own.owner = null; // mostly openings that take long: leave them to the reaper
    } else {
      countPlaces(own.capacity());
    }
    return own.capacity();
  }

  /**
   * Back-pressure. Openers of a type get so many places at most between two moments at which the
   * queue of what is to be released was empty, and each of them one nursery more. What the
   * collector has not found yet fills the heap no more than any garbage does.
   */
  void countPlaces(int more) {
    if (places.addAndGet(more) >= Settings.PLACES_A_WAIT) {
      places.set(0);
      type.queue.awaitEmpty();
    }
  }

  private void install(int at, @Nullable Nursery[] all, Nursery fresh) {
    synchronized (this) {
      if (directory == all) {
        all[at] = fresh;
      } else {
        Thread owner = Thread.currentThread();
        directory[hash(owner, directory)] = fresh;
      }
    }
  }

  private synchronized boolean growAfterCollision(@Nullable Nursery[] seen) {
    if (directory != seen) {
      return true;
    }
    if (++collisions < Settings.MIN_SLOTS || seen.length >= OPENERS_DIRECTORY) {
      return false;
    }
    growLocked(seen);
    return true;
  }

  /** The reaper's part: a large directory, which no opener is to pay for. */
  synchronized void growIfCrowded() {
    if (collisions >= Settings.MIN_SLOTS && directory.length < MAX_DIRECTORY) {
      growLocked(directory);
    }
  }

  private void growLocked(@Nullable Nursery[] seen) {
    collisions = 0;
    @Nullable Nursery[] larger = new Nursery[seen.length * 2];
    for (Nursery nursery : seen) {
      if (nursery != null && nursery.owner instanceof Thread owner) {
        larger[hash(owner, larger)] = nursery;
      }
    }
    directory = larger;
    mask = larger.length - 1;
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
        slots = makeSharedRoom(shared);
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

  private int makeSharedRoom(Nursery shared) {
    boolean first = shared.capacity() == SHARED_SLOTS && shared.hasFewClaims();
    if (!shared.isTableGone() && (first || shared.capacity() >= Settings.MAX_SLOTS)) {
      if (Promotion.of(shared) > shared.capacity() / 2) {
        shared.owner = null;
      } else {
        countPlaces(shared.capacity());
      }
      return shared.capacity();
    }
    shared.owner = null;
    return Math.min(shared.capacity() * 2, Settings.MAX_SLOTS);
  }

  @SuppressWarnings("deprecation") // see hash
  private static int spread(Thread thread) {
    return (int) ((thread.getId() * HandleState.CODE) >>> 40);
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

  static boolean isVirtual(Thread thread) {
    if (VIRTUAL != null) {
      return VIRTUAL.isInstance(thread);
    }
    try {
      return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Throwable t) {
      return false; // isVirtual() throws nothing
    }
  }

  private static @Nullable Class<?> findVirtual() {
    try {
      return Class.forName("java.lang.BaseVirtualThread", false, null);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static @Nullable MethodHandle findIsVirtual() {
    if (Runtime.version().feature() < 21) {
      return null;
    }
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException e) {
      return null; // there are none
    }
  }
}
