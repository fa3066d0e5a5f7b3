package dev.offcut.memory;

import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A pool of native memory in chunks. It splits a chunk when a smaller chunk is requested, joins
 * freed chunks with their free neighbours, and returns free memory to the system after a while.
 *
 * <pre>{@code
 * MemoryPool pool = MemoryPool.named("cache").limit(1L << 30).create();
 * long chunk = pool.owner().allocateChunk(64 << 10);
 * pool.freeChunk(chunk);
 * }</pre>
 *
 * <p><b>Ownership.</b> A chunk belongs to the code that took it, until it is given back; the pool
 * never frees a chunk by itself. The pool lives until {@link #close}, which fails while chunks are
 * in use.
 *
 * <p><b>Threads.</b> Any thread. Each region has a lock. A thread asks the regions that are not
 * locked first. If the last one is locked, the thread may add a region: up to one for each
 * processor, 16 at most. Then it waits for each region in turn.
 *
 * <p><b>Failures.</b> See {@link MemoryLimitException}, {@link DoubleFreeException}, {@link
 * ForeignFreeException}, {@link IllegalSizeException}, {@link ClosedPoolException}. Each of them
 * changes nothing. On a system other than 64-bit Linux, {@link Builder#create} throws an {@link
 * UnsupportedOperationException}.
 *
 * <p>See {@link Region} for the layout of the memory.
 *
 * <p>There is no lambda in this package: linking one in a full Java heap fails for ever.
 */
public final class MemoryPool implements AutoCloseable {
  private final String name;
  private final ChunkAllocator allocator;
  private final Owner root;
  private final Upkeep upkeep;
  private final Decay decay;

  /** Owners that were dropped without a close. */
  private final ReferenceQueue<Owner> droppedOwners = new ReferenceQueue<>();

  private MemoryPool(Builder builder) {
    name = builder.name;
    NativeMemory memory = builder.memory == null ? NativeMemory.ofThisSystem() : builder.memory;
    checkPages(builder.geometry, memory.pageBytes());
    upkeep = new Upkeep(this);
    allocator =
        new ChunkAllocator(
            name,
            builder.geometry,
            new Commitment(memory, builder.limitBytes),
            memory,
            builder.reserveBytes,
            builder.keepsChunks,
            this,
            upkeep);
    root = Owner.root(this, allocator, name);
    decay = Decay.watch(this, builder.decay);
  }

  /** A granule is given back as one, so no page may reach into the next. */
  private static void checkPages(Geometry geometry, int pageBytes) {
    if (pageBytes > geometry.granuleBytes()) {
      throw new IllegalSizeException(
          "a smallest chunk of "
              + geometry.leafBytes()
              + " bytes: pages have "
              + pageBytes
              + " bytes here; give "
              + pageBytes / Geometry.LEAVES
              + " bytes or more, a 64th of a page");
    }
  }

  /**
   * Begins a pool.
   *
   * @param name appears in every report; not blank
   * @return a builder for the pool
   * @throws IllegalArgumentException if the name is blank
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** A small one that no event knows, on memory that nobody touches. */
  static MemoryPool forWarmup(NativeMemory memory) {
    Builder builder = new Builder("warm-up").memory(memory);
    builder.reserveBytes = builder.geometry.rootBytes();
    return new MemoryPool(builder);
  }

  /** {@return the name given at creation} */
  public String name() {
    return name;
  }

  /** {@return the owner of all memory of this pool; other owners are its children} */
  public Owner owner() {
    return root;
  }

  /**
   * Gives back a chunk that {@link Owner#allocateChunk} handed out. The pool refuses a chunk that
   * an arena or a heap holds.
   *
   * @param address where the chunk begins
   * @throws DoubleFreeException if it is free already
   * @throws ForeignFreeException if the program holds no chunk of this pool that begins there
   */
  public void freeChunk(long address) {
    allocator.freeForProgram(address);
  }

  /**
   * The size of a chunk that {@link Owner#allocateChunk} handed out.
   *
   * @param address where the chunk begins
   * @return its bytes: as many as were requested, or more
   * @throws ForeignFreeException if the program holds no chunk of this pool that begins there
   */
  public long chunkBytes(long address) {
    return allocator.chunkBytes(address);
  }

  /**
   * Returns all unused memory to the system now: free chunks, and free pages within used granules.
   * It takes about a microsecond per page.
   */
  public void trim() {
    Events.trimmed(this);
  }

  /** {@return the resident bytes of this pool, as the system reports them} */
  public long residentBytes() {
    long resident = 0;
    for (Region region : allocator.regions.all()) {
      resident += allocator.memory.resident(region.base, region.bytes);
    }
    return resident;
  }

  /**
   * {@return the bytes of each owner, and the free chunks; owners and regions are read one after
   * the other, so the figures are exact only while no other thread uses the pool}
   */
  public PoolSnapshot snapshot() {
    return upkeep.snapshot();
  }

  /** {@return the free chunks of each region; regions are read one after the other} */
  public PoolLayout layout() {
    return ChunkMap.layoutOf(allocator);
  }

  /**
   * A picture of the pool: for each region a line with its address and size, then a character for
   * each granule of 64 KiB, 64 in a row.
   *
   * <pre>
   *   #  handed out        .  free, with pages
   *   +  partly            _  reserved, without
   * </pre>
   *
   * @return the picture, in lines
   */
  public String map() {
    return ChunkMap.textOf(allocator);
  }

  /**
   * Checks all internal maps and sums. Call it only while no other thread uses the pool. It checks
   * that maps and sums agree, that free chunks are joined as far as possible, that used ≤ handed
   * out ≤ committed and committed + external ≤ limit, that each owner is charged exactly for the
   * memory that it holds, and that each byte that is handed out has one holder: the program, an
   * arena or a heap.
   *
   * @throws IllegalStateException if a check fails; the message names the check
   */
  public synchronized void verify() {
    new PoolCheck(name, allocator, upkeep.owners()).check();
  }

  /**
   * Gives all address space back.
   *
   * @throws MemoryInUseException if chunks are in use; the pool stays open
   */
  @Override
  public synchronized void close() {
    if (allocator.isClosed()) {
      return;
    }
    upkeep.age(true);
    if (root.chargedBytes() == 0) {
      allocator.setClosed(true);
      upkeep.age(true); // what came back since
    }
    if (root.chargedBytes() != 0) {
      allocator.setClosed(false); // somebody took a chunk meanwhile; others may have been refused
      throw new MemoryInUseException(
          "pool "
              + name
              + " still has chunks out; close arenas and reservations, and free"
              + " chunks first\n"
              + snapshot());
    }
    Events.closed(this);
    decay.end();
    allocator.regions.releaseAll();
  }

  @Override
  public String toString() {
    return name;
  }

  /** Runs a turn of the decay. */
  void decay() {
    upkeep.decay();
  }

  /** Ends an owner and those below it: {@link Owner#close}. */
  void endOwner(Owner owner) {
    upkeep.endOwner(owner);
  }

  void trimNow() {
    upkeep.trim();
  }

  ReferenceQueue<Owner> droppedOwners() {
    return droppedOwners;
  }

  ChunkAllocator allocator() {
    return allocator;
  }

  /** Collects the settings of a new pool. */
  public static final class Builder {
    private final String name;
    private Geometry geometry = Geometry.DEFAULT;
    private long limitBytes = Long.MAX_VALUE;
    private long reserveBytes = Long.MAX_VALUE;
    private Duration decay = Duration.ofSeconds(10);
    private boolean keepsChunks = true;
    private @Nullable NativeMemory memory;

    private Builder(String name) {
      if (name.isBlank()) {
        throw new IllegalArgumentException("a pool needs a name: it stands in every report");
      }
      this.name = name;
    }

    /**
     * The maximum of committed bytes and reservations together.
     *
     * @param bytes the limit; by default there is none. {@link #create} refuses a limit below a
     *     granule
     * @return this builder
     */
    public Builder limit(long bytes) {
      limitBytes = bytes;
      return this;
    }

    /**
     * The maximum of reserved address space.
     *
     * @param bytes the limit; by default there is none. {@link #create} refuses a limit below the
     *     largest chunk
     * @return this builder
     */
    public Builder reserveLimit(long bytes) {
      reserveBytes = bytes;
      return this;
    }

    /**
     * The largest and the smallest chunk. The smallest is at least a 64th of the system's page:
     * {@link #create} refuses a smaller one.
     *
     * @param largestBytes a power of two; 4 MiB by default
     * @param smallestBytes a power of two from 256 bytes to 64 KiB; 1 KiB by default
     * @return this builder
     * @throws IllegalArgumentException if a size is no such power of two, or the largest is not 64
     *     to 65536 times the smallest
     */
    public Builder chunks(long largestBytes, int smallestBytes) {
      geometry = new Geometry(largestBytes, smallestBytes);
      return this;
    }

    /**
     * How long free memory keeps its pages. A turn of the decay takes place every half of this
     * time. A free granule goes back to the system at its second turn. Memory that an owner keeps
     * for its next requests takes one turn more.
     *
     * @param decay upper bound of the time that a free granule keeps its pages; 10 s by default;
     *     zero returns the pages at once
     * @return this builder
     */
    public Builder decay(Duration decay) {
      this.decay = decay;
      return this;
    }

    /** Whether owners keep chunks that were given back; without it each goes to its region. */
    Builder keepsChunks(boolean keepsChunks) {
      this.keepsChunks = keepsChunks;
      return this;
    }

    Builder memory(NativeMemory memory) {
      this.memory = memory;
      return this;
    }

    /**
     * Makes the pool.
     *
     * @return the pool; the caller closes it
     * @throws IllegalSizeException if the limits have no room for a granule or a root, or the
     *     smallest chunk is below a 64th of a page
     * @throws UnsupportedOperationException on a system other than 64-bit Linux
     */
    public MemoryPool create() {
      if (limitBytes < geometry.granuleBytes() || reserveBytes < geometry.rootBytes()) {
        throw new IllegalSizeException(
            "a pool of at most "
                + limitBytes
                + " bytes in "
                + reserveBytes
                + " bytes of address space: it needs one granule ("
                + geometry.granuleBytes()
                + ") and one root ("
                + geometry.rootBytes()
                + ")");
      }
      Warmup.ensure();
      MemoryPool pool = new MemoryPool(this);
      Events.opened(pool);
      return pool;
    }
  }
}
