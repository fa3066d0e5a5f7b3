package dev.offcut.memory;

import dev.offcut.handle.HandleScope;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A pool of native memory, which it hands out in chunks. The pool splits a free chunk when a
 * smaller one is requested, and joins freed chunks with their free neighbours. It returns unused
 * memory to the system after a while.
 *
 * <pre>{@code
 * MemoryPool pool = MemoryPool.named("cache").limit(1L << 30).create();
 * long chunk = pool.owner().allocateChunk(64 << 10);
 * pool.freeChunk(chunk);
 * }</pre>
 *
 * <p><b>Ownership.</b> A chunk belongs to the code that took it, until that code frees it; the pool
 * never frees a chunk by itself. The pool lives until {@link #close}, which fails while memory of
 * the pool is in use.
 *
 * <p><b>Threads.</b> Any thread. The pool reserves address space in regions, usually of 1 GiB, each
 * with a lock. A request first tries the regions that no thread has locked. If none of them has
 * room, and the last region is locked, the request adds a region, unless there are already 16, or
 * as many as processors; then it waits for each region in turn. If no region has room, the request
 * adds a region whatever their number is.
 *
 * <p><b>Failures.</b> {@link MemoryLimitException}, {@link DoubleFreeException}, {@link
 * ForeignFreeException}, {@link IllegalSizeException}, {@link ClosedPoolException}. None of them
 * changes anything. On a system other than 64-bit Linux, {@link Builder#create} throws an {@link
 * UnsupportedOperationException}.
 *
 * <p>See {@link Region} for the layout of the memory.
 */
public final class MemoryPool implements AutoCloseable {
  private final String name;
  private final ChunkAllocator allocator;
  private final Owner root;
  private final Upkeep upkeep;
  private final Decay decay;
  private final @Nullable Budget budget;

  /** This pool and its owners, as far as somebody asks which test opened them. */
  private final Set<HandleScope.Opening> openings = ConcurrentHashMap.newKeySet();

  private MemoryPool(Builder builder) {
    name = builder.name;
    NativeMemory memory = builder.memory == null ? NativeMemory.ofThisSystem() : builder.memory;
    checkPages(builder.geometry, memory.pageBytes());
    upkeep = new Upkeep(this);
    allocator =
        new ChunkAllocator(
            name,
            builder.geometry,
            new Commitment(memory, builder.limitBytes, builder.budget),
            memory,
            builder.reserveBytes,
            this,
            upkeep);
    root = Owner.root(this, allocator, name);
    budget = builder.budget;
    decay = Decay.watch(this, builder.decay);
  }

  /** A granule is given back as one, so no page may reach into the next. */
  private static void checkPages(Geometry geometry, int pageBytes) {
    if (pageBytes > geometry.granuleBytes()) {
      throw new IllegalSizeException(
          "a smallest chunk of %s bytes: pages have %s bytes here; give %s bytes or more, a 64th of a page"
              .formatted(geometry.leafBytes(), pageBytes, pageBytes / Geometry.LEAVES));
    }
  }

  /**
   * Starts the settings of a new pool.
   *
   * @param name the pool's name in every report; not blank
   * @return a builder; {@link Builder#create} makes the pool
   * @throws IllegalArgumentException if the name is blank
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /**
   * {@return the pools of the program that are open, in no order} Each copy of this library, in a
   * class loader of its own, has pools of its own.
   */
  public static List<MemoryPool> open() {
    return Events.pools();
  }

  /** {@return the name of this pool} */
  public String name() {
    return name;
  }

  /**
   * {@return the pool's own owner, which ends with the pool} All other owners are its descendants,
   * so it is charged for all memory of the pool.
   */
  public Owner owner() {
    return root;
  }

  /** {@return the budget that this pool is on; null if it is on none} */
  public @Nullable Budget budget() {
    return budget;
  }

  /**
   * Frees a chunk that {@link Owner#allocateChunk} returned. The pool refuses a chunk that an arena
   * or a heap holds.
   *
   * @param address where the chunk begins
   * @throws DoubleFreeException if the chunk is free already
   * @throws ForeignFreeException if no chunk of the program begins there, or the pool is closed
   */
  public void freeChunk(long address) {
    allocator.freeForProgram(address);
  }

  /**
   * Returns the size of a chunk that {@link Owner#allocateChunk} returned.
   *
   * @param address where the chunk begins
   * @return the size in bytes: as many as were requested, or more
   * @throws ForeignFreeException if no chunk of the program begins there, or the pool is closed
   */
  public long chunkBytes(long address) {
    return allocator.chunkBytes(address);
  }

  /**
   * Returns all unused memory to the system now: free chunks, free pages within granules that are
   * in use, and pages of a heap that no block in use touches. A heap with {@link Hardening#FULL}
   * keeps its pages. A granule is the unit in which a pool takes memory from the system: 64 KiB by
   * default. The call takes about a microsecond per page.
   */
  public void trim() {
    giveBack(true);
  }

  /** {@return how many bytes of this pool are resident, according to the system} */
  public long residentBytes() {
    long resident = 0;
    for (Region region : allocator.regions.all()) {
      resident += allocator.memory.resident(region.base, region.bytes);
    }
    return resident;
  }

  /**
   * {@return the memory of the pool and of each owner, and the free chunks} Owners and regions are
   * read one after the other, so the figures are exact only if no other thread uses the pool.
   */
  public PoolSnapshot snapshot() {
    return upkeep.snapshot();
  }

  /** {@return the free chunks of each region} Regions are read one after the other. */
  public PoolLayout layout() {
    return ChunkMap.layoutOf(allocator);
  }

  /**
   * Draws the pool. Each region has a line with its address and size, and then one character for
   * each granule, 64 in a row.
   *
   * <pre>
   *   #  all handed out      .  free, committed
   *   +  partly handed out   _  free, reserved only
   * </pre>
   *
   * @return the picture, in lines of text
   */
  public String map() {
    return ChunkMap.textOf(allocator);
  }

  /**
   * Checks the sums of the pool. Call it only while no other thread uses the pool. The checks are:
   *
   * <ul>
   *   <li>used ≤ handed out ≤ committed, and committed + external ≤ limit;
   *   <li>each owner is charged exactly for the memory that it holds.
   * </ul>
   *
   * @throws IllegalStateException if a check fails; the message names the check
   */
  public synchronized void verify() {
    upkeep.verify();
  }

  /**
   * Closes the pool and returns its address space to the system. Further calls do nothing.
   *
   * @throws MemoryInUseException if memory of the pool is in use; the pool stays open. Requests of
   *     other threads during the call may have been refused
   */
  @Override
  public synchronized void close() {
    if (root.isClosed()) {
      return;
    }
    upkeep.endPool();
    Events.closed(this);
    for (HandleScope.Opening opening : openings) {
      ended(opening); // owners end with the pool
    }
    decay.end();
    allocator.regions.releaseAll();
    if (budget != null) {
      budget.remove(this);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  void decay() {
    upkeep.decay();
  }

  /** Gives unused memory back to the system, unless the pool is closed by now. */
  synchronized void giveBack(boolean alsoPinned) {
    if (root.isClosed()) {
      return;
    }
    if (alsoPinned) {
      upkeep.trim();
    } else {
      upkeep.reclaim();
    }
  }

  /** Ends an owner and those below it: {@link Owner#close}. */
  void endOwner(Owner owner) {
    upkeep.endOwner(owner);
  }

  /** Notes that it, or an owner of it, is opened; null if nobody asks. */
  HandleScope.@Nullable Opening opened(String type) {
    HandleScope.Opening opening = HandleScope.opened(type, MemoryPool.class.getPackageName());
    if (opening != null) {
      openings.add(opening);
    }
    return opening;
  }

  void ended(HandleScope.@Nullable Opening opening) {
    if (opening != null) {
      openings.remove(opening);
      opening.close();
    }
  }

  ChunkAllocator allocator() {
    return allocator;
  }

  /** Collects the settings of a new pool. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private Geometry geometry = Geometry.DEFAULT;
    private long limitBytes = Long.MAX_VALUE;
    private long reserveBytes = Long.MAX_VALUE;
    private Duration decay = Duration.ofSeconds(10);
    private @Nullable NativeMemory memory;
    private @Nullable Budget budget;

    private Builder(String name) {
      if (name.isBlank()) {
        throw new IllegalArgumentException("a pool needs a name: it stands in every report");
      }
      this.name = name;
    }

    /**
     * Limits the sum of committed bytes and reservations.
     *
     * @param bytes the limit, at least one granule; by default there is none
     * @return this builder
     */
    public Builder limit(long bytes) {
      limitBytes = bytes;
      return this;
    }

    /**
     * Puts the pool on a budget, which other pools share. The pool's committed bytes and
     * reservations count against the budget, too.
     *
     * @param budget the budget; by default there is none
     * @return this builder
     */
    public Builder budget(Budget budget) {
      this.budget = budget;
      return this;
    }

    /**
     * Limits the address space that the pool reserves.
     *
     * @param bytes the limit, at least the largest chunk; by default there is none
     * @return this builder
     */
    public Builder reserveLimit(long bytes) {
      reserveBytes = bytes;
      return this;
    }

    /**
     * Sets the sizes of the largest and the smallest chunk. A granule is 64 times the smallest
     * chunk, and must not be smaller than a page of the system.
     *
     * @param largestBytes a power of two; 4 MiB by default
     * @param smallestBytes a power of two from 256 bytes to 64 KiB; 1 KiB by default
     * @return this builder
     * @throws IllegalSizeException if a size is not such a power of two, or the largest is not 64
     *     to 65536 times the smallest
     */
    public Builder chunks(long largestBytes, int smallestBytes) {
      geometry = new Geometry(largestBytes, smallestBytes);
      return this;
    }

    /**
     * Sets how long free memory stays resident. The decay is a thread that visits each pool twice
     * in this time. Each visit is a turn. A free granule goes back to the system at its second
     * turn. Memory that an owner keeps for its next requests goes back at the third.
     *
     * @param decay the longest time that a free granule stays resident; 10 s by default. The time
     *     between two turns is at least 1 ms, even if {@code decay} is zero
     * @return this builder
     */
    public Builder decay(Duration decay) {
      this.decay = decay;
      return this;
    }

    Builder memory(NativeMemory memory) {
      this.memory = memory;
      return this;
    }

    /**
     * Makes the pool. It reserves address space when memory is first requested.
     *
     * @return the pool; the caller closes it
     * @throws IllegalSizeException if the limits have no room for a granule or a largest chunk, or
     *     the smallest chunk is below a 64th of a page
     * @throws UnsupportedOperationException on a system other than 64-bit Linux
     */
    public MemoryPool create() {
      if (limitBytes < geometry.granuleBytes() || reserveBytes < geometry.rootBytes()) {
        throw new IllegalSizeException(
            ("a pool of at most %s bytes in %s bytes of address space: it needs one granule (%s) and"
                    + " one largest chunk (%s)")
                .formatted(
                    limitBytes, reserveBytes, geometry.granuleBytes(), geometry.rootBytes()));
      }
      MemoryPool pool = new MemoryPool(this);
      if (budget != null) {
        budget.add(pool);
      }
      Events.opened(pool);
      pool.opened("pool");
      return pool;
    }
  }
}
