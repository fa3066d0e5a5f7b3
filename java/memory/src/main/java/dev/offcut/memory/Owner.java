package dev.offcut.memory;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whom bytes of a pool are charged to: a tree, in which what is charged to an owner is charged to
 * its parents too.
 *
 * <pre>{@code
 * Owner cache = pool.owner().child("cache").hardLimit(64 << 20).lifetime(Lifetime.LONG).create();
 * long chunk = cache.allocateChunk(16 << 10);
 * pool.freeChunk(chunk);
 * }</pre>
 *
 * <p>What is charged are granules, 64 KiB: an owner's small chunks share granules with no other
 * owner's, so this is the memory that would come back if the owner gave all back.
 *
 * <p><b>Ends</b> with {@link #close}, which refuses while memory is out. Close owners that come and
 * go, as those of sessions.
 *
 * <p><b>Threads.</b> Any. <b>Failures.</b> A hard limit: {@link MemoryLimitException}. A soft limit
 * calls back, after the request that passed it, on the thread of that request.
 */
public final class Owner implements AutoCloseable {
  private final MemoryPool pool;
  private final @Nullable Owner parent;
  private final String name;
  private final Lifetime lifetime;
  private final long softLimitBytes;
  private final long hardLimitBytes;
  private final @Nullable Consumer<Owner> onSoftLimit;
  private final long firstGrowthBytes;
  private final long mostGrowthBytes;
  private final Lines lines;
  private final ReturnedChunks returned;

  private final AtomicLong charged = new AtomicLong();

  /** The first of the owners below. Changed under this monitor. */
  private @Nullable Child firstChild;

  /** By which its parent knows it. */
  private final Child self;

  private volatile boolean closed;

  /** What it holds in each region. Written under the region's lock and this monitor. */
  private volatile @Nullable Holding[] holdings = {};

  /** The heaps that take chunks for it: a list, so that neither way out needs memory. */
  private volatile @Nullable Blocks firstHeap;

  private volatile boolean softLimitPassed;

  /**
   * An owner in the list of its parent, which does not keep it: a region does while the owner holds
   * something there, and the program while it uses it.
   */
  private static final class Child extends WeakReference<Owner> {
    private final @Nullable Owner parent;
    private @Nullable Child next;
    private @Nullable Child previous;
    private boolean isListed;

    Child(Owner owner, @Nullable Owner parent) {
      super(owner, owner.pool.gone());
      this.parent = parent;
    }
  }

  private Owner(MemoryPool pool, @Nullable Owner parent, Builder builder) {
    this.pool = pool;
    this.parent = parent;
    name = builder.name;
    lifetime = builder.lifetime;
    softLimitBytes = builder.softLimitBytes;
    hardLimitBytes = builder.hardLimitBytes;
    onSoftLimit = builder.onSoftLimit;
    firstGrowthBytes = builder.firstGrowthBytes;
    mostGrowthBytes = builder.mostGrowthBytes;
    lines = new Lines(this, pool);
    self = new Child(this, parent);
    returned = new ReturnedChunks(this, pool, pool.geometry());
  }

  /** The owner of all that a pool has. */
  static Owner root(MemoryPool pool, String name) {
    return new Owner(pool, null, new Builder(null, name));
  }

  /** Begins an owner below this one. */
  public Builder child(String name) {
    return new Builder(this, name);
  }

  /** The name given at creation. */
  public String name() {
    return name;
  }

  /** The names from below the pool's own owner to this one, with slashes between. */
  public String path() {
    return parent == null || parent.parent == null ? name : parent.path() + "/" + name;
  }

  /** The pool. */
  public MemoryPool pool() {
    return pool;
  }

  /** How long its memory is likely to live. */
  public Lifetime lifetime() {
    return lifetime;
  }

  /** The most that may be charged, {@link Long#MAX_VALUE} if there is no limit. */
  public long hardLimitBytes() {
    return hardLimitBytes;
  }

  /**
   * Bytes of the granules that it and its children hold, those of chunks included that were given
   * back and are kept for the next request.
   */
  public long chargedBytes() {
    return charged.get();
  }

  /**
   * Takes a chunk: at least so many bytes, aligned to its own size, with anything in it. Up to a
   * root the size is the next power of two from a leaf on; above, the next multiple of a granule,
   * aligned to a root. {@link MemoryPool#chunkBytes} says it.
   *
   * @return its address
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws MemoryLimitException if a limit stands against it
   */
  public long allocateChunk(long bytes) {
    long kept = returned.take(bytes);
    return kept != 0 ? kept : pool.takeChunk(this, bytes) & ~Region.ZERO;
  }

  /** Opens an arena that belongs to this thread. */
  public PoolArena openArena() {
    return new ConfinedArena(this);
  }

  /** Opens an arena that any thread may use and close. */
  public PoolArena openSharedArena() {
    return new SharedArena(this);
  }

  /** Opens a heap: blocks of any size for any thread, out of chunks that are charged to it. */
  public BlockHeap openHeap() {
    return BlockHeap.of(this);
  }

  /** Opens a heap that belongs to this thread, and is the faster for it. */
  public BlockHeap openConfinedHeap() {
    return BlockHeap.confined(this);
  }

  /** Opens a heap that looks for misuse. */
  public BlockHeap openHeap(Hardening hardening) {
    return BlockHeap.of(this, hardening);
  }

  @Override
  public String toString() {
    return path();
  }

  Lines lines() {
    return lines;
  }

  ReturnedChunks returned() {
    return returned;
  }

  long firstGrowthBytes() {
    return firstGrowthBytes;
  }

  long mostGrowthBytes() {
    return mostGrowthBytes;
  }

  /** The owners below that are open and that anybody refers to. */
  synchronized List<Owner> children() {
    List<Owner> children = new ArrayList<>();
    for (Child child = firstChild; child != null; child = child.next) {
      Owner owner = child.get();
      if (owner != null) {
        children.add(owner);
      }
    }
    return children;
  }

  private synchronized void add(Child child) {
    checkOpen();
    Child second = firstChild;
    child.next = second;
    if (second != null) {
      second.previous = child;
    }
    firstChild = child;
    child.isListed = true;
  }

  private synchronized void remove(Child child) {
    if (!child.isListed) {
      return;
    }
    child.isListed = false;
    if (child.previous != null) {
      child.previous.next = child.next;
    } else {
      firstChild = child.next;
    }
    if (child.next != null) {
      child.next.previous = child.previous;
    }
  }

  /** Forgets owners of a pool that nobody refers to, and that held nothing any more. */
  static void forget(ReferenceQueue<Owner> gone) {
    for (Object each = gone.poll(); each != null; each = gone.poll()) {
      if (each instanceof Child child && child.parent != null) {
        child.parent.remove(child);
      }
    }
  }

  /**
   * Ends it and the owners below it: nothing is taken for them any more, and the pool forgets them.
   * Without effect if it is closed. A request of another thread meanwhile may be refused as if the
   * owner were closed, also if it stays open.
   *
   * <p>An owner that is dropped without a close is forgotten once it holds nothing and nobody
   * refers to it: what it keeps for its next requests goes after two turns of the decay, or at a
   * trim.
   *
   * @throws MemoryInUseException if a chunk, an arena with blocks or a heap of it, or of an owner
   *     below, is out; then all stay open
   * @throws IllegalStateException for the pool's own owner, which ends with the pool
   */
  @Override
  public void close() {
    if (parent == null) {
      throw new IllegalStateException(
          this + " is the owner of all that the pool has: close the pool");
    }
    pool.end(this);
  }

  void leaveParent() {
    Objects.requireNonNull(parent).remove(self);
  }

  boolean isClosed() {
    return closed;
  }

  /** Under the monitor: an owner or a heap is added below before it, or refused. */
  synchronized void setClosed(boolean closed) {
    this.closed = closed;
  }

  /** Throws if nothing may be taken for it. */
  void checkOpen() {
    if (closed) {
      throw new ClosedOwnerException(
          "owner " + this + " of pool " + pool + " is closed; nothing can be taken for it");
    }
  }

  /**
   * The first of its open heaps, which leads to the others. One that is closed meanwhile still
   * leads on to those that were behind it.
   */
  @Nullable Blocks firstHeap() {
    return firstHeap;
  }

  /** Adds a heap, before it takes anything. */
  synchronized void add(Blocks heap) {
    checkOpen();
    Blocks second = firstHeap;
    heap.next = second;
    if (second != null) {
      second.previous = heap;
    }
    firstHeap = heap;
  }

  /** Takes a heap out, if it is in. */
  synchronized void remove(Blocks heap) {
    Blocks before = heap.previous;
    Blocks behind = heap.next;
    if (before != null) {
      before.next = behind;
    } else if (firstHeap == heap) {
      firstHeap = behind;
    }
    if (behind != null && behind.previous == heap) {
      behind.previous = before;
    }
    heap.previous = null;
  }

  /** Counts bytes for it and its parents; the one whose limit they would pass, or null. */
  @Nullable Owner charge(long bytes) {
    for (@Nullable Owner owner = this; owner != null; owner = owner.parent) {
      long now = owner.charged.addAndGet(bytes);
      if (now > owner.hardLimitBytes) {
        owner.charged.addAndGet(-bytes);
        for (Owner below = this; below != owner; below = Objects.requireNonNull(below.parent)) {
          below.charged.addAndGet(-bytes);
        }
        return owner;
      }
      if (now > owner.softLimitBytes && now - bytes <= owner.softLimitBytes) {
        owner.softLimitPassed = true;
      }
    }
    return null;
  }

  /** It or the nearest of its parents whose limit a charge would pass now, or null. */
  @Nullable Owner limitAgainst(long bytes) {
    for (@Nullable Owner owner = this; owner != null; owner = owner.parent) {
      if (bytes > owner.hardLimitBytes - owner.charged.get()) {
        return owner;
      }
    }
    return null;
  }

  void discharge(long bytes) {
    for (@Nullable Owner owner = this; owner != null; owner = owner.parent) {
      owner.charged.addAndGet(-bytes);
    }
  }

  /** Calls back for the soft limits that were passed; without any lock. */
  void callBack() {
    for (@Nullable Owner owner = this; owner != null; owner = owner.parent) {
      if (owner.softLimitPassed) {
        owner.softLimitPassed = false;
        owner.tell();
      }
    }
  }

  /** The request is granted whatever the callback does: what it throws is reported, not thrown. */
  private void tell() {
    try {
      Events.softLimitPassed(pool, this, softLimitBytes);
      if (onSoftLimit != null) {
        onSoftLimit.accept(this);
      }
    } catch (Throwable e) {
      try {
        Uncaught.report(e);
      } catch (Throwable again) {
        // Nobody can be told, and what was taken must reach whoever asked for it.
      }
    }
  }

  /** What it holds of a region, or null. The caller has the region's lock. */
  @Nullable Holding holding(Region region) {
    for (Holding holding : holdings) {
      if (holding != null && holding.region == region) {
        return holding;
      }
    }
    return null;
  }

  synchronized void add(Holding holding) {
    @Nullable Holding[] all = holdings;
    int at = 0;
    while (at < all.length && all[at] != null) {
      at++;
    }
    @Nullable Holding[] more = Arrays.copyOf(all, Math.max(at + 1, all.length));
    more[at] = holding;
    holdings = more;
  }

  /** Forgets what it held; a reader of another region passes over it. */
  synchronized void remove(Holding holding) {
    @Nullable Holding[] all = holdings;
    for (int i = 0; i < all.length; i++) {
      if (all[i] == holding) {
        all[i] = null;
      }
    }
  }

  /** What an owner is to be. */
  public static final class Builder {
    private final @Nullable Owner parent;
    private final String name;
    private Lifetime lifetime = Lifetime.SHORT;
    private long softLimitBytes = Long.MAX_VALUE;
    private long hardLimitBytes = Long.MAX_VALUE;
    private @Nullable Consumer<Owner> onSoftLimit;
    private long firstGrowthBytes = Settings.FIRST_GROWTH_BYTES;
    private long mostGrowthBytes = Settings.MOST_GROWTH_BYTES;

    private Builder(@Nullable Owner parent, String name) {
      if (name.isBlank()) {
        throw new IllegalArgumentException("an owner needs a name: it stands in every report");
      }
      this.parent = parent;
      this.name = name;
    }

    /** How long its memory is likely to live; {@link Lifetime#SHORT} unless said. */
    public Builder lifetime(Lifetime lifetime) {
      this.lifetime = lifetime;
      return this;
    }

    /** Passing it from below calls back. */
    public Builder softLimit(long bytes, Consumer<Owner> onPassed) {
      softLimitBytes = positive(bytes);
      onSoftLimit = onPassed;
      return this;
    }

    /** What would pass it is refused. */
    public Builder hardLimit(long bytes) {
      hardLimitBytes = positive(bytes);
      return this;
    }

    /**
     * How arenas grow: by so many bytes at first, then by as many as they have, up to {@code
     * mostBytes} at a time. Powers of two; 4 KiB and 256 KiB unless said.
     */
    public Builder arenaGrowth(long firstBytes, long mostBytes) {
      if (Long.bitCount(firstBytes) != 1
          || Long.bitCount(mostBytes) != 1
          || firstBytes > mostBytes) {
        throw new IllegalSizeException(
            "arenas that grow by "
                + firstBytes
                + " to "
                + mostBytes
                + " bytes: give powers of two");
      }
      firstGrowthBytes = firstBytes;
      mostGrowthBytes = mostBytes;
      return this;
    }

    private static long positive(long bytes) {
      if (bytes <= 0) {
        throw new IllegalSizeException("a limit of " + bytes + " bytes: give a positive one");
      }
      return bytes;
    }

    /**
     * Adds it to the tree.
     *
     * @throws ClosedOwnerException if the owner above is closed
     */
    public Owner create() {
      Owner above = Objects.requireNonNull(parent);
      forget(above.pool.gone());
      Owner owner = new Owner(above.pool, above, this);
      above.add(owner.self);
      return owner;
    }
  }
}
