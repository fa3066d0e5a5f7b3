package dev.offcut.memory;

import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Native memory in chunks: split when a smaller one is asked for, joined with their neighbours when
 * they come back, given back to the system when nobody has asked for a while.
 *
 * <pre>{@code
 * MemoryPool pool = MemoryPool.named("cache").limit(1L << 30).create();
 * long chunk = pool.owner().allocateChunk(64 << 10);
 * pool.freeChunk(chunk);
 * }</pre>
 *
 * <p><b>Ownership.</b> Chunks belong to whoever took them, until they are given back; the pool
 * frees none of its own accord. It lives until {@link #close}, which refuses while chunks are out.
 *
 * <p><b>Threads.</b> Any. Regions have a lock each; a thread that finds one locked takes the next.
 *
 * <p><b>Failures.</b> See {@link MemoryLimitException}, {@link DoubleFreeException}, {@link
 * ForeignFreeException}, {@link IllegalSizeException}, {@link ClosedPoolException}; each leaves
 * everything as it was. Elsewhere than on 64-bit Linux there is no pool: {@link
 * UnsupportedOperationException}.
 *
 * <p>How memory is laid out is said in {@link Region}.
 *
 * <p>There is no lambda in this package: linking one in a full Java heap fails for ever.
 */
public final class MemoryPool implements AutoCloseable {
  private final String name;
  private final Geometry geometry;
  private final NativeMemory memory;
  private final Commitment commitment;
  private final Owner root;
  private final Regions regions;
  private final Decay decay;
  private final boolean keepsChunks;
  private volatile boolean closed;

  /** Owners that were dropped without a close. */
  private final ReferenceQueue<Owner> gone = new ReferenceQueue<>();

  private MemoryPool(Builder builder) {
    name = builder.name;
    geometry = builder.geometry;
    keepsChunks = builder.keepsChunks;
    memory = builder.memory == null ? NativeMemory.ofThisSystem() : builder.memory;
    checkPages(geometry, memory.pageBytes());
    root = Owner.root(this, name);
    commitment = new Commitment(memory, builder.limitBytes, root);
    regions = new Regions(geometry, commitment, memory, builder.reserveBytes);
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

  /** Begins a pool. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** A small one that no event knows, on memory that nobody touches. */
  static MemoryPool forWarmup(NativeMemory memory) {
    Builder builder = new Builder("warm-up").memory(memory);
    builder.reserveBytes = builder.geometry.rootBytes();
    return new MemoryPool(builder);
  }

  /** The name given at creation. */
  public String name() {
    return name;
  }

  /** The owner of all; others are its children. */
  public Owner owner() {
    return root;
  }

  /**
   * Gives a chunk back that {@link Owner#allocateChunk} handed out. What arenas and heaps hold is
   * theirs: it is refused.
   *
   * @throws DoubleFreeException if it is free already
   * @throws ForeignFreeException if the program holds no chunk of this pool that begins there
   */
  public void freeChunk(long address) {
    Region region = regions.of(address);
    if (region == null) {
      throw new ForeignFreeException(
          hex(address) + " is not in pool " + name + ": nothing was freed");
    }
    int mark = region.marks.get(address);
    if (mark != 0) {
      keepOrPut(region, address, mark);
      return;
    }
    StackProbe.check(); // a region's maps must not be left half changed
    long freed = putChunk(region, address);
    if (freed == 0) {
      throw doubleFree(address);
    }
    if (freed < 0) {
      throw new ForeignFreeException(
          hex(address)
              + " begins no chunk that pool "
              + name
              + " handed out: give the address that allocateChunk returned; blocks go back to the"
              + " arena or heap they are from");
    }
  }

  /**
   * How many bytes a chunk has that {@link Owner#allocateChunk} handed out: as many as were asked
   * for, or more.
   *
   * @throws ForeignFreeException if the program holds no chunk of this pool that begins there
   */
  public long chunkBytes(long address) {
    Region region = regions.of(address);
    if (region != null) {
      int mark = region.marks.get(address);
      if (mark > 0) {
        return geometry.bytes(mark - 1);
      }
      region.lock.lock();
      try {
        if (region.marks.isUnkept(address)) {
          return region.chunkBytes(address);
        }
      } finally {
        region.lock.unlock();
      }
    }
    throw new ForeignFreeException(
        hex(address) + " begins no chunk that pool " + name + " handed out: it has no size");
  }

  private static long putChunk(Region region, long address) {
    region.lock.lock();
    try {
      return region.putChunk(address);
    } finally {
      region.lock.unlock();
    }
  }

  /**
   * Keeps a chunk for its owner, if there is room. If the stack ends before that is done, the chunk
   * is out as before: a store to its mark takes no call.
   */
  private void keepOrPut(Region region, long address, int mark) {
    int level = mark - 1;
    int unit = region.marks.unit(address);
    if (mark < 0 || !region.marks.keep(address, level)) {
      throw doubleFree(address);
    }
    boolean decided = false;
    boolean kept;
    try {
      kept = keepsChunks && region.ownerOf(address).returned().give(address, level);
      if (!kept) {
        StackProbe.check();
      }
      decided = true;
    } finally {
      if (!decided) {
        region.marks.marks[unit] = (byte) mark;
      }
    }
    if (!kept) {
      put(region, address);
    }
  }

  private DoubleFreeException doubleFree(long address) {
    return new DoubleFreeException(hex(address) + " of pool " + name + " is free already");
  }

  /** Gives a chunk back to its region: one that was kept, or the pool's own. */
  void giveBack(long address) {
    put(regions.have(address), address);
  }

  private static long put(Region region, long address) {
    region.lock.lock();
    try {
      return region.put(address);
    } finally {
      region.lock.unlock();
    }
  }

  /** Takes a chunk for the program: its address, with {@link Region#ZERO} or without. */
  long takeChunk(Owner owner, long bytes) {
    if (bytes <= 0) {
      throw new IllegalSizeException(
          "a chunk of "
              + bytes
              + " bytes for "
              + owner
              + " of pool "
              + name
              + ": ask for 1 or more");
    }
    return ask(
        new Request() {
          @Override
          public long in(Region region) {
            return region.takeChunk(region.holding(owner), bytes);
          }
        },
        owner,
        bytes,
        bytes > geometry.rootBytes()
            ? granuleBytes(bytes)
            : granuleBytes(geometry.bytes(geometry.level(bytes))));
  }

  /** Takes a chunk of a level for a heap: its address, with {@link Region#ZERO} or without. */
  long take(Owner owner, int level) {
    return ask(
        new Request() {
          @Override
          public long in(Region region) {
            return region.take(region.holding(owner), level);
          }
        },
        owner,
        geometry.bytes(level),
        granuleBytes(geometry.bytes(level)));
  }

  /** Takes a chunk for a heap that is cut to size, with {@link Region#ZERO} or without. */
  long takeGranules(Owner owner, long bytes) {
    return ask(
        new Request() {
          @Override
          public long in(Region region) {
            Holding holding = region.holding(owner);
            return bytes > geometry.rootBytes()
                ? region.takeRun(holding, bytes)
                : region.takeGranules(
                    holding, (int) (granuleBytes(bytes) / geometry.granuleBytes()));
          }
        },
        owner,
        bytes,
        granuleBytes(bytes));
  }

  /** The bytes of a chunk that is cut to size: the next multiple of a granule that a long holds. */
  long granuleBytes(long bytes) {
    long last = geometry.granuleBytes() - 1L;
    return Math.min(bytes, Long.MAX_VALUE - last) + last & ~last;
  }

  /** Whether an address is in a free chunk of the pool. */
  boolean isFree(long address) {
    Region region = regions.of(address);
    if (region == null) {
      return false;
    }
    region.lock.lock();
    try {
      return region.isFree(address);
    } finally {
      region.lock.unlock();
    }
  }

  /** What is asked of a region under its lock: an address, {@link Region#NONE} or REFUSED. */
  interface Request {
    long in(Region region);
  }

  /**
   * Asks region after region, then for a new one, then for what closed arenas and free chunks keep.
   * There is no new one for a request that a limit stands against: what is refused takes nothing.
   *
   * @param bytes what is asked for
   * @param charge what it is charged if it begins in granules that nobody has
   */
  long ask(Request request, Owner owner, long bytes, long charge) {
    if (closed) {
      throw new ClosedPoolException("pool " + name + " is closed; nothing can be taken from it");
    }
    owner.checkOpen();
    StackProbe.check(); // for all that follows, here and in who asks
    long taken = regions.ask(request);
    if (taken == Region.NONE && limitAgainst(owner, charge) == null && regions.grow(bytes)) {
      taken = regions.ask(request);
    }
    if (taken == Region.NONE || taken == Region.REFUSED) {
      taken = reclaimAndAsk(request, owner, bytes, charge);
    }
    owner.callBack();
    return taken;
  }

  private long reclaimAndAsk(Request request, Owner owner, long bytes, long charge) {
    reclaim();
    long taken = regions.ask(request);
    Owner limited = taken == Region.NONE ? limitAgainst(owner, charge) : null;
    if (taken == Region.NONE && limited == null && regions.grow(bytes)) {
      taken = regions.ask(request);
    }
    if (taken == Region.REFUSED) {
      limited = regions.refusedBy();
    }
    if (taken == Region.NONE || taken == Region.REFUSED) {
      MemoryLimitException refusal = refusal(owner, bytes, limited);
      Events.refused(this, owner, refusal);
      throw refusal;
    }
    return taken;
  }

  /** Whose limit a charge would pass now, or null. */
  private @Nullable Owner limitAgainst(Owner owner, long charge) {
    Owner limited = owner.limitAgainst(charge);
    return limited == null && !commitment.hasRoom(charge) ? root : limited;
  }

  /** The refusal of a block for which no long has room. */
  MemoryLimitException tooLarge(Owner owner, long bytes) {
    return refusal(owner, bytes, null);
  }

  private MemoryLimitException refusal(Owner owner, long bytes, @Nullable Owner limited) {
    String what = bytes + " bytes for " + owner + " of pool " + name + ": ";
    if (limited == null) {
      return new MemoryLimitException(
          what
              + "no free chunk is large enough and no more address space may be reserved, or its"
              + " maps would take more than a quarter of the Java heap",
          name,
          bytes,
          regions.limitBytes(),
          snapshot());
    }
    boolean all = limited == root;
    long limit = all ? commitment.limitBytes() : limited.hardLimitBytes();
    return new MemoryLimitException(
        what
            + (all ? "the limit of the pool, " : "the limit of " + limited + ", ")
            + limit
            + " bytes, would be passed",
        all ? name : limited.path(),
        bytes,
        limit,
        snapshot());
  }

  /** Takes a line of at least so many bytes. */
  Line takeLine(Owner owner, long bytes, long growthBytes) {
    LineRequest request = new LineRequest(owner, bytes, growthBytes);
    ask(request, owner, bytes, granuleBytes(bytes));
    return Objects.requireNonNull(request.line);
  }

  private static final class LineRequest implements Request {
    private final Owner owner;
    private final long bytes;
    private final long growthBytes;
    @Nullable Line line;

    LineRequest(Owner owner, long bytes, long growthBytes) {
      this.owner = owner;
      this.bytes = bytes;
      this.growthBytes = growthBytes;
    }

    @Override
    public long in(Region region) {
      Line taken = region.takeLine(region.holding(owner), bytes, growthBytes);
      line = taken;
      if (taken != null) {
        return taken.from;
      }
      return region.lineRefused() ? Region.REFUSED : Region.NONE;
    }
  }

  /** Adds at least so many bytes to a line: how many, with ZERO or without; or NONE. */
  long extendLine(Line line, long bytes, long growthBytes, long usedBytes) {
    StackProbe.check();
    try {
      return extendLocked(line, bytes, growthBytes, usedBytes);
    } finally {
      line.owner.callBack();
    }
  }

  private static long extendLocked(Line line, long bytes, long growthBytes, long usedBytes) {
    Region region = line.region;
    region.lock.lock();
    try {
      Holding holding = region.holding(line.owner);
      line.count(holding, usedBytes);
      return region.extendLine(holding, line, bytes, growthBytes);
    } finally {
      region.lock.unlock();
    }
  }

  void giveLine(Line line) {
    Region region = line.region;
    region.lock.lock();
    try {
      line.count(Objects.requireNonNull(line.owner.holding(region)), 0);
      region.putLine(line.from, line.bytes());
    } finally {
      region.lock.unlock();
    }
  }

  /** Everything that is free goes back to the system, at once. */
  private void reclaim() {
    age(true);
    for (Region region : regions.all()) {
      discardIdle(region);
    }
  }

  private static void discardIdle(Region region) {
    age(region);
    while (discardAged(region)) {
      // a little at a time, so that others get the lock in between
    }
  }

  /**
   * What was free for a whole turn goes back to the system; what is free now, at the next turn. Not
   * during {@link #verify} and {@link #close}, to which a chunk on its way would look lost.
   */
  synchronized void decay() {
    Owner.forget(gone);
    age(false);
    for (Region region : regions.all()) {
      while (discardAged(region)) {
        // as above
      }
      age(region);
    }
  }

  /** Lines that wait for the next arena, and slabs without blocks, become free chunks. */
  private void age(boolean atOnce) {
    for (Owner owner : owners()) {
      age(owner, atOnce);
    }
  }

  private static void age(Owner owner, boolean atOnce) {
    owner.lines().flush(atOnce);
    owner.returned().flush(atOnce);
    for (Blocks heap = owner.firstHeap(); heap != null; heap = heap.next) {
      heap.age(atOnce);
    }
  }

  /**
   * Ends an owner and those below it, or none of them. They are closed first, so that from the look
   * into a region on nothing is taken there for them; who asks meanwhile is refused also where the
   * owner stays.
   */
  synchronized void end(Owner owner) {
    List<Owner> ending = new ArrayList<>();
    boolean ended = owner.isClosed();
    try {
      if (ended) {
        return;
      }
      closeAll(owner, ending);
      for (Owner each : ending) {
        age(each, true);
        age(each, true); // what came back since
      }
      ended = owner.chargedBytes() == 0 && !hasHeaps(ending) && letGo(ending);
    } finally {
      for (int i = 0; !ended && i < ending.size(); i++) {
        ending.get(i).setClosed(false);
      }
    }
    if (!ended) {
      throw new MemoryInUseException(
          "owner "
              + owner
              + " of pool "
              + name
              + " still has memory or heaps out; close arenas and heaps and free chunks first\n"
              + snapshot());
    }
    owner.leaveParent();
  }

  /** Each is in the list before it is closed, and closed before those below are looked for. */
  private static void closeAll(Owner owner, List<Owner> ending) {
    ending.add(owner);
    owner.setClosed(true);
    for (Owner child : owner.children()) {
      closeAll(child, ending);
    }
  }

  private static boolean hasHeaps(List<Owner> owners) {
    for (Owner owner : owners) {
      if (owner.firstHeap() != null) {
        return true;
      }
    }
    return false;
  }

  /** The regions let go of owners; false if one holds something by now. */
  private boolean letGo(List<Owner> owners) {
    for (Region region : regions.all()) {
      region.lock.lock();
      try {
        for (Owner owner : owners) {
          if (!region.letGo(owner)) {
            return false;
          }
        }
      } finally {
        region.lock.unlock();
      }
    }
    return true;
  }

  private static boolean discardAged(Region region) {
    region.lock.lock();
    try {
      return region.discardAged();
    } finally {
      region.lock.unlock();
    }
  }

  private static void age(Region region) {
    region.lock.lock();
    try {
      region.age();
    } finally {
      region.lock.unlock();
    }
  }

  /**
   * Gives back to the system what nobody uses, now: free chunks, and pages within used granules. It
   * takes about a microsecond a page.
   */
  public void trim() {
    Events.trimmed(this);
  }

  void trimNow() {
    reclaim();
    for (Region region : regions.all()) {
      for (int next = 0; next >= 0; ) {
        region.lock.lock();
        try {
          next = region.trim(next);
        } finally {
          region.lock.unlock();
        }
      }
    }
  }

  /** How many bytes are in memory, as the system says. */
  public long residentBytes() {
    long resident = 0;
    for (Region region : regions.all()) {
      resident += memory.resident(region.base, region.bytes);
    }
    return resident;
  }

  /** Who holds what. */
  public PoolSnapshot snapshot() {
    PoolCount count = new PoolCount(geometry);
    List<Owner> owners = owners();
    for (Owner owner : owners) {
      PoolCount.Share share = count.share(owner);
      for (Blocks heap = owner.firstHeap(); heap != null; heap = heap.next) {
        share.usedBytes += heap.usedBytes();
      }
    }
    for (Region region : regions.all()) {
      region.lock.lock();
      try {
        region.count(count);
      } finally {
        region.lock.unlock();
      }
    }
    for (Owner owner : owners()) {
      owner.lines().count(count);
      owner.returned().visit(count);
    }
    return snapshot(count);
  }

  private PoolSnapshot snapshot(PoolCount count) {
    List<PoolSnapshot.FreeChunks> free = new ArrayList<>();
    for (int level = 0; level < count.freeChunks.length; level++) {
      free.add(new PoolSnapshot.FreeChunks(geometry.bytes(level), count.freeChunks[level]));
    }
    List<PoolSnapshot.OwnerShare> shares = new ArrayList<>();
    long handedOut = 0;
    long used = 0;
    for (var entry : count.owners.entrySet()) {
      PoolCount.Share share = entry.getValue();
      handedOut += share.handedOutBytes;
      used += share.usedBytes;
      shares.add(
          new PoolSnapshot.OwnerShare(
              entry.getKey().path(),
              entry.getKey().hardLimitBytes(),
              share.committedBytes,
              share.handedOutBytes,
              share.usedBytes));
    }
    return new PoolSnapshot(
        name,
        commitment.limitBytes(),
        count.reservedBytes,
        count.metadataBytes,
        count.committedBytes,
        handedOut,
        used,
        count.keptBytes,
        free,
        shares);
  }

  private List<Owner> owners() {
    List<Owner> owners = new ArrayList<>();
    gather(root, owners);
    return owners;
  }

  private static void gather(Owner owner, List<Owner> owners) {
    owners.add(owner);
    for (Owner child : owner.children()) {
      gather(child, owners);
    }
  }

  /** Where chunks lie; each region was looked at by itself. */
  public PoolLayout layout() {
    List<PoolLayout.RegionLayout> all = new ArrayList<>();
    for (Region region : regions.all()) {
      List<PoolLayout.FreeChunk> free = new ArrayList<>();
      region.lock.lock();
      try {
        region.freeChunks(
            new Region.FreeChunk() {
              @Override
              public void at(long offset, long bytes) {
                free.add(new PoolLayout.FreeChunk(offset, bytes));
              }
            });
      } finally {
        region.lock.unlock();
      }
      all.add(new PoolLayout.RegionLayout(region.base, region.bytes, free));
    }
    return new PoolLayout(all);
  }

  /** A picture of the pool: a character for each granule; {@link Region#map} says which. */
  public String map() {
    StringBuilder map = new StringBuilder();
    for (Region region : regions.all()) {
      map.append(String.format("0x%x, %d MiB%n", region.base, region.bytes >> 20));
      region.lock.lock();
      try {
        region.map(map);
      } finally {
        region.lock.unlock();
      }
    }
    return map.toString();
  }

  /**
   * Checks every map and sum, while no other thread uses the pool: all agree, free chunks are
   * joined as far as can be, used ≤ handed out ≤ committed ≤ limit, what is charged is what is
   * held, and each byte that is handed out is held once, by the program, an arena or a heap.
   *
   * @throws IllegalStateException that says what does not hold
   */
  public synchronized void verify() {
    for (Region region : regions.all()) {
      region.lock.lock();
      try {
        region.verify();
      } finally {
        region.lock.unlock();
      }
    }
    Claims claims = new Claims(this);
    for (Owner owner : owners()) {
      for (Blocks heap = owner.firstHeap(); heap != null; heap = heap.next) {
        heap.verify();
        heap.claim(claims);
      }
    }
    Lease.claim(claims);
    verifyKept();
    claims.verify();
    PoolSnapshot all = snapshot();
    check(all.usedBytes() <= all.handedOutBytes(), "more is used than handed out");
    check(all.handedOutBytes() <= all.committedBytes(), "more is handed out than committed");
    check(all.committedBytes() <= all.limitBytes(), "more is committed than the limit allows");
    check(all.committedBytes() == commitment.bytes(), "committed bytes are counted wrong");
    long held = 0;
    for (PoolSnapshot.OwnerShare share : all.owners()) {
      check(share.usedBytes() <= share.handedOutBytes(), share.owner() + " uses too much");
      check(share.handedOutBytes() <= share.committedBytes(), share.owner() + " has too much");
      held += share.committedBytes();
    }
    check(held == root.chargedBytes(), held + " bytes held, " + root.chargedBytes() + " charged");
  }

  /** What is marked as kept lies in a slot of its owner, and the other way round. */
  private void verifyKept() {
    Set<Long> kept = new HashSet<>();
    for (Owner owner : owners()) {
      owner
          .returned()
          .visit(
              new ReturnedChunks.Visitor() {
                @Override
                public void kept(Owner keeper, long address, long bytes) {
                  Region region = regions.have(address);
                  check(kept.add(address), hex(address) + " is kept twice");
                  int level = -1 - region.marks.get(address);
                  check(level >= 0, hex(address) + " is kept, and not marked");
                  check(geometry.bytes(level) == bytes, hex(address) + " is marked as another");
                  check(region.chunkBytes(address) == bytes, hex(address) + " is no such chunk");
                  check(region.ownerOf(address) == keeper, hex(address) + " is kept by another");
                }
              });
    }
    for (Region region : regions.all()) {
      region.marks.visit(
          new ChunkMarks.Visitor() {
            @Override
            public void at(long address, boolean isKept) {
              check(isKept == kept.contains(address), hex(address) + " is kept nowhere");
            }
          });
    }
  }

  private void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("pool " + name + ": " + what);
    }
  }

  /**
   * Gives all address space back.
   *
   * @throws MemoryInUseException if chunks are out; then the pool stays open
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    age(true);
    if (root.chargedBytes() == 0) {
      closed = true;
      age(true); // what came back since
    }
    if (root.chargedBytes() != 0) {
      closed = false; // somebody took a chunk at the same time; others may have been refused one
      throw new MemoryInUseException(
          "pool "
              + name
              + " still has chunks out; close arenas and free chunks first\n"
              + snapshot());
    }
    Events.closed(this);
    decay.end();
    regions.release();
  }

  @Override
  public String toString() {
    return name;
  }

  ReferenceQueue<Owner> gone() {
    return gone;
  }

  Geometry geometry() {
    return geometry;
  }

  NativeMemory memory() {
    return memory;
  }

  Regions regions() {
    return regions;
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }

  /** What a pool is to be. */
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

    /** The most that may be committed. */
    public Builder limit(long bytes) {
      limitBytes = bytes;
      return this;
    }

    /** The most address space that may be reserved. */
    public Builder reserveLimit(long bytes) {
      reserveBytes = bytes;
      return this;
    }

    /**
     * The largest and the smallest chunk, powers of two; 4 MiB and 1 KiB unless said. The smallest
     * is at least a 64th of the system's page: {@link #create} refuses a smaller one.
     */
    public Builder chunks(long largestBytes, int smallestBytes) {
      geometry = new Geometry(largestBytes, smallestBytes);
      return this;
    }

    /**
     * How long free memory keeps its pages, at most; zero gives them back at once. 10 s unless
     * said.
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

    /** Makes it. */
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
