package dev.offcut.memory;

import dev.offcut.handle.HandleScope;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of the program that the pool charges for memory. Owners form a tree: a charge to an owner
 * is also a charge to each owner above it.
 *
 * <pre>{@code
 * Owner cache = pool.owner().child("cache").hardLimit(64 << 20).lifetime(Lifetime.LONG).create();
 * long chunk = cache.allocateChunk(16 << 10);
 * pool.freeChunk(chunk);
 * }</pre>
 *
 * <p>The pool charges whole granules, by default of 64 KiB. Two owners never share a granule. So
 * the charge is the memory that would go back to the system if the owner freed everything.
 *
 * <p><b>Lifetime.</b> {@link #close} ends an owner; it fails while memory of the owner is in use.
 * Close owners that come and go, such as one owner per session.
 *
 * <p><b>Threads.</b> Any thread.
 *
 * <p><b>Failures.</b> A request that would exceed a hard limit throws a {@link
 * MemoryLimitException}. A soft limit refuses nothing: after a request that exceeds it, the pool
 * calls a function of the program, on the thread of that request.
 */
public final class Owner extends Account implements AutoCloseable {
  private final MemoryPool pool;
  private final @Nullable Owner parent;
  private final @Nullable Consumer<Owner> onSoftLimit;
  private final ExtentCache extents;
  private final OpenHeaps heaps;

  /**
   * The open owners below, which it does not keep: a region does while the owner holds something
   * there, and the program while it uses it. Changed under this monitor.
   */
  private final Set<WeakReference<Owner>> children = new LinkedHashSet<>();

  /** By which its parent knows it. */
  private final WeakReference<Owner> self = new WeakReference<>(this);

  /** By which a test knows it; null if none asks. Written once, before the owner is handed out. */
  private volatile HandleScope.@Nullable Opening opening;

  private Owner(
      MemoryPool pool, @Nullable Owner parent, ChunkAllocator allocator, Builder builder) {
    super(parent, builder.name, builder.lifetime, builder.softLimitBytes, builder.hardLimitBytes);
    this.pool = pool;
    this.parent = parent;
    onSoftLimit = builder.onSoftLimit;
    extents = new ExtentCache(this, allocator, builder.firstGrowthBytes, builder.mostGrowthBytes);
    heaps = new OpenHeaps(this, allocator);
  }

  /** The owner of all that a pool has. */
  static Owner root(MemoryPool pool, ChunkAllocator allocator, String name) {
    return new Owner(pool, null, allocator, new Builder(null, name));
  }

  /**
   * Starts the settings of a new owner below this one. The new owner exists once {@link
   * Builder#create} returns.
   *
   * @param name the owner's name in every report; not blank
   * @return a builder
   * @throws IllegalArgumentException if the name is blank
   */
  public Builder child(String name) {
    return new Builder(this, name);
  }

  /** {@return the pool that this owner belongs to} */
  public MemoryPool pool() {
    return pool;
  }

  /**
   * Takes a chunk. Its content is undefined.
   *
   * <p>With the default chunk sizes, a request of up to 4 MiB is rounded up to a power of two, at
   * least 1 KiB. Such a chunk is aligned to its own size. A larger request is rounded up to a
   * multiple of 64 KiB, and the chunk is aligned to 4 MiB. {@link MemoryPool#chunkBytes} returns
   * the rounded size.
   *
   * @param bytes the least size of the chunk
   * @return the chunk's address; the caller frees it with {@link MemoryPool#freeChunk}
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws MemoryLimitException if the request would exceed a limit; nothing was taken
   * @throws ClosedOwnerException if this owner is closed
   * @throws ClosedPoolException if the pool is closed
   */
  public long allocateChunk(long bytes) {
    return pool.allocator().allocateForProgram(this, bytes).address;
  }

  /**
   * Charges this owner for memory that is not from the pool. Nothing is allocated.
   *
   * @param bytes the size of that memory
   * @return the reservation; the caller closes it to end the charge
   * @throws IllegalSizeException if {@code bytes} is not positive
   * @throws MemoryLimitException if the charge would exceed a limit; nothing was charged
   * @throws ClosedOwnerException if this owner is closed
   * @throws ClosedPoolException if the pool is closed
   */
  public Reservation reserve(long bytes) {
    return Reservation.open(pool.allocator(), this, bytes);
  }

  /**
   * {@return a new arena for the calling thread only, which the caller closes} It takes no memory
   * before its first block: if this owner is closed, that first allocation fails.
   */
  public PoolArena openArena() {
    return new PoolArena.Confined(this);
  }

  /**
   * {@return a new arena that any thread may use, and the caller closes} It takes no memory before
   * its first block: if this owner is closed, that first allocation fails.
   */
  public PoolArena openSharedArena() {
    return new PoolArena.Shared(this);
  }

  /**
   * Opens a heap, from which any thread may allocate blocks of any size. Its chunks are charged to
   * this owner.
   *
   * @return the heap; the caller closes it
   * @throws ClosedOwnerException if this owner is closed
   * @throws ClosedPoolException if the pool is closed
   */
  public BlockHeap openHeap() {
    return BlockHeap.open(this, Hardening.OFF);
  }

  /**
   * Opens a heap for the calling thread only. It needs no lock, so it is faster than {@link
   * #openHeap()}.
   *
   * @return the heap; the caller closes it
   * @throws ClosedOwnerException if this owner is closed
   * @throws ClosedPoolException if the pool is closed
   */
  public BlockHeap openConfinedHeap() {
    return BlockHeap.openConfined(this);
  }

  /**
   * Opens a heap that checks for misuse. Any thread may use it.
   *
   * @param hardening the level of checks
   * @return the heap; the caller closes it
   * @throws ClosedOwnerException if this owner is closed
   * @throws ClosedPoolException if the pool is closed
   */
  public BlockHeap openHeap(Hardening hardening) {
    return BlockHeap.open(this, hardening);
  }

  ExtentCache extents() {
    return extents;
  }

  OpenHeaps heaps() {
    return heaps;
  }

  /** Frees what it keeps for its next requests: all, or what was kept a turn ago already. */
  void age(boolean atOnce) {
    extents.age(atOnce);
    heaps.age(atOnce);
  }

  /** The owners below that are open and that anybody refers to. */
  synchronized List<Owner> children() {
    List<Owner> open = new ArrayList<>();
    for (Iterator<WeakReference<Owner>> each = children.iterator(); each.hasNext(); ) {
      Owner owner = each.next().get();
      if (owner == null) {
        each.remove(); // dropped without a close
      } else {
        open.add(owner);
      }
    }
    return open;
  }

  private synchronized void add(Owner child) {
    checkOpen();
    children.add(child.self);
  }

  private synchronized void remove(Owner child) {
    children.remove(child.self);
  }

  /**
   * Ends this owner and the owners below it: they take no more memory, and the pool removes them
   * from its list. Further calls do nothing. While {@code close} runs, a request of another thread
   * may get a {@link ClosedOwnerException}, even if {@code close} then fails and the owner stays
   * open.
   *
   * <p>If the program drops an owner without a close, the pool removes the owner from its list once
   * it is unreachable and has no chunk, arena, heap or reservation. Memory that was kept for its
   * next requests goes back to the pool at the second turn of the decay, or at a trim.
   *
   * @throws MemoryInUseException if this owner or an owner below it still has a chunk, an arena
   *     with blocks, a heap or a reservation; all these owners stay open
   * @throws IllegalStateException if this is the pool's own owner, which ends with the pool
   */
  @Override
  public void close() {
    if (parent == null) {
      throw new IllegalStateException(
          this + " is the owner of all that the pool has: close the pool");
    }
    pool.endOwner(this);
  }

  void noteEnd() {
    pool.ended(opening);
  }

  void leaveParent() {
    Objects.requireNonNull(parent).remove(this);
  }

  /** The request is granted whatever the callback does: what it throws is reported, not thrown. */
  @Override
  void softLimitExceeded() {
    if (onSoftLimit == null) {
      return;
    }
    try {
      onSoftLimit.accept(this);
    } catch (Throwable e) {
      Uncaught.report(e);
    }
  }

  /** Collects the settings of a new owner. Not thread-safe. */
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

    /**
     * Sets how long the owner's memory is likely to live. The pool uses this to place memory of the
     * same lifetime together.
     *
     * @param lifetime the likely lifetime; {@link Lifetime#SHORT} by default
     * @return this builder
     */
    public Builder lifetime(Lifetime lifetime) {
      this.lifetime = lifetime;
      return this;
    }

    /**
     * Sets a soft limit. Each time a request raises the charged bytes above it, the pool calls a
     * function. The request is granted, whatever the function does or throws.
     *
     * <p>The function runs on the thread of the request. The thread holds no lock of the pool, but
     * if a shared arena made the request, it holds that arena's lock: the function must not wait
     * for another thread that uses the arena.
     *
     * @param bytes the soft limit; by default there is none
     * @param onPassed the function; it receives this owner
     * @return this builder
     * @throws IllegalSizeException if {@code bytes} is not positive
     */
    public Builder softLimit(long bytes, Consumer<Owner> onPassed) {
      softLimitBytes = positive(bytes);
      onSoftLimit = onPassed;
      return this;
    }

    /**
     * Sets a hard limit. A request that would raise the charged bytes above it throws a {@link
     * MemoryLimitException}.
     *
     * @param bytes the hard limit; by default there is none
     * @return this builder
     * @throws IllegalSizeException if {@code bytes} is not positive
     */
    public Builder hardLimit(long bytes) {
      hardLimitBytes = positive(bytes);
      return this;
    }

    /**
     * Sets how arenas grow. An arena takes {@code firstBytes} at first. Each further step doubles
     * the arena, but adds at most {@code mostBytes}.
     *
     * @param firstBytes a power of two; 4 KiB by default
     * @param mostBytes a power of two; 256 KiB by default
     * @return this builder
     * @throws IllegalSizeException if a size is no power of two, or {@code firstBytes} is larger
     *     than {@code mostBytes}
     */
    public Builder arenaGrowth(long firstBytes, long mostBytes) {
      if (Long.bitCount(firstBytes) != 1
          || Long.bitCount(mostBytes) != 1
          || firstBytes > mostBytes) {
        throw new IllegalSizeException(
            "arenas that grow by %s to %s bytes: give powers of two"
                .formatted(firstBytes, mostBytes));
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
     * Makes the owner and adds it to the tree.
     *
     * @return the owner; the caller closes it
     * @throws ClosedOwnerException if the owner above is closed
     * @throws ClosedPoolException if the pool is closed
     */
    public Owner create() {
      Owner above = Objects.requireNonNull(parent);
      Owner owner = new Owner(above.pool, above, above.pool.allocator(), this);
      above.add(owner);
      owner.opening = above.pool.opened("owner");
      return owner;
    }
  }
}
