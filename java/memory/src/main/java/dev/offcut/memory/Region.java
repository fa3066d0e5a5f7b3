package dev.offcut.memory;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reserved address space, cut into chunks.
 *
 * <pre>
 *   region   1 GiB of address space, one lock
 *   root     4 MiB, the largest chunk; more is a run of whole roots, its tail given back
 *   granule  64 KiB = 64 leaves: committed, charged and given back as one
 *   leaf     1 KiB, the smallest chunk
 *
 *   a granule is   FREE    part of a free chunk of the {@link GranuleTree}; its pages may still be there
 *                  SMALL   the home of one owner's chunks below a granule
 *                  LARGE   the first of a chunk of one granule or more
 *                  REST    another one of it
 *
 *   for each granule, a bit a leaf     use    handed out
 *                                      start  a chunk begins here; LARGE: the granules of the chunk
 *                                      dirty  handed out since its page was last given back
 * </pre>
 *
 * A chunk is aligned to its own size. <b>Split</b>, <b>align</b> and <b>coalesce</b>: a chunk is
 * cut out of the tightest free one that holds it, the rest stays free as the largest chunks it can
 * be; a returned one is one with its free neighbours at once, below a granule because free leaves
 * are nothing but unset bits, above in the tree. A free leaf that is not dirty is zero.
 *
 * <p>Committed are the granules with a dirty leaf. A free one keeps its pages for a while ({@code
 * idle}, then {@code aged}), then {@link #discardAged} gives them back; {@link #trim} also gives
 * back pages within granules that have no leaf in use. Nothing is written into the memory itself.
 *
 * <p>The caller holds the lock for everything but what is final ({@link #lock}, {@link #base}, the
 * size, {@link #marks}, which see to themselves) and {@link #ownerOf}.
 */
final class Region {
  static final byte FREE = 0;
  static final byte SMALL = 1;
  static final byte LARGE = 2;
  static final byte REST = 3;

  /** What a taking method answers when nothing is free that fits. */
  static final long NONE = 0;

  /** What it answers when a limit stands against it; {@link #refusedBy} says whose. */
  static final long REFUSED = 1L << 62;

  /** Added to an address: every byte of the chunk is zero. */
  static final long ZERO = 1L << 63;

  /** The most bytes that the maps take for a granule. */
  static final int MOST_MAP_BYTES = 64;

  /** The most that is given back in one call of the system, while the lock is held. */
  private static final int MOST_DISCARDED = 64;

  final ReentrantLock lock = new ReentrantLock();
  final long base;
  final long bytes;

  private final Geometry geometry;
  private final Commitment commitment;
  private final GranuleTree tree;
  private final int granuleBytes;
  private final int leafShift;

  private final long[] use;
  private final long[] start;
  private final long[] dirty;
  private final byte[] kind;
  private final int[] home;

  /** For each granule, in which heaps of its holding it is. */
  private final byte[] queued;

  /** Free granules with pages: released since the last look, and before it. */
  private final long[] idle;

  private final long[] aged;

  /** What is known of chunks without the lock. */
  final ChunkMarks marks;

  /** By number. Replaced as a whole, so that the owner of a chunk is found without the lock. */
  private volatile @Nullable Holding[] holdings = {};

  /** No number below is free. */
  private int firstFree;

  private long committedGranules;
  private Owner refusedBy;
  private boolean lineRefused;

  /** Whether a granule has free chunks that no heap of granules says. */
  private boolean missed;

  Region(Geometry geometry, Commitment commitment, long base, long bytes) {
    this.geometry = geometry;
    this.commitment = commitment;
    this.base = base;
    this.bytes = bytes;
    granuleBytes = geometry.granuleBytes();
    leafShift = Integer.numberOfTrailingZeros(geometry.leafBytes());
    int granules = Math.toIntExact(bytes / granuleBytes);
    tree = new GranuleTree(geometry.granuleLevel(), granules / geometry.granulesPerRoot());
    tree.put(0, granules);
    marks = new ChunkMarks(geometry, base, bytes);
    use = new long[granules];
    start = new long[granules];
    dirty = new long[granules];
    kind = new byte[granules];
    home = new int[granules];
    queued = new byte[granules];
    idle = new long[(granules + Long.SIZE - 1) / Long.SIZE];
    aged = new long[idle.length];
    refusedBy = commitment.root();
  }

  /** Whose limit the last REFUSED came from. */
  Owner refusedBy() {
    return refusedBy;
  }

  /** What an owner holds here, for a request. */
  Holding holding(Owner owner) {
    owner.checkOpen();
    Holding known = owner.holding(this);
    return known == null ? add(owner) : known;
  }

  private Holding add(Owner owner) {
    while (firstFree < holdings.length && holdings[firstFree] != null) {
      firstFree++;
    }
    if (firstFree == holdings.length) {
      holdings = Arrays.copyOf(holdings, 2 * firstFree + 1);
    }
    Holding made = new Holding(owner, this, firstFree + 1);
    owner.add(made);
    // Plain: whoever looks for it without the lock was given a chunk that was taken after this.
    holdings[firstFree] = made;
    return made;
  }

  private Holding holding(int granule) {
    return Objects.requireNonNull(holdings[home[granule] - 1]);
  }

  /** Forgets an owner that holds nothing here; false if it holds something. */
  boolean letGo(Owner owner) {
    Holding known = owner.holding(this);
    if (known != null && known.granules == 0) {
      remove(known);
    }
    return known == null || known.granules == 0;
  }

  private void remove(Holding holding) {
    holdings[holding.id - 1] = null;
    firstFree = Math.min(firstFree, holding.id - 1);
    holding.owner.remove(holding);
  }

  /** Forgets owners that hold nothing now and held nothing at the last look. */
  private void letGoIdle() {
    for (Holding holding : holdings) {
      if (holding != null && holding.granules == 0 && holding.isIdle) {
        remove(holding);
      } else if (holding != null) {
        holding.isIdle = holding.granules == 0;
      }
    }
  }

  /**
   * Whose chunk an address is in: for its holder, without the lock. A plain read of its home: it
   * was written before the holder was given the chunk, and stays as it is until that is back.
   */
  Owner ownerOf(long address) {
    return holding((int) ((address - base) / granuleBytes)).owner;
  }

  // Taking.

  /** Takes a chunk of a level: its address, with ZERO or without; NONE, or REFUSED. */
  long take(Holding holding, int level) {
    int j = geometry.leafLevel() - level;
    return j < Leaves.SIZES ? takeSmall(holding, j) : takeLarge(holding, level);
  }

  /** Takes a chunk for the program, which may give it back. */
  long takeChunk(Holding holding, long size) {
    if (size > geometry.rootBytes()) {
      long run = takeRun(holding, size);
      if (run != NONE && run != REFUSED) {
        marks.handOutRun(run & ~ZERO);
      }
      return run;
    }
    int level = geometry.level(size);
    long taken = take(holding, level);
    if (taken != NONE && taken != REFUSED) {
      marks.handOut(taken & ~ZERO, level);
    }
    return taken;
  }

  /** Takes granules, at most a root of them, and gives the tail of what they are cut from back. */
  long takeGranules(Holding holding, int count) {
    int level = geometry.level((long) count * granuleBytes);
    int first = find(holding.owner, level);
    if (first < 0) {
      return NONE;
    }
    tree.take(first, level);
    tree.put(first + count, (1 << (geometry.granuleLevel() - level)) - count);
    return own(holding, first, count);
  }

  /** Whether nobody has the leaf at an address. */
  boolean isFree(long address) {
    long leaf = (address - base) >> leafShift;
    return (use[(int) (leaf / Geometry.LEAVES)] & 1L << leaf) == 0;
  }

  /** Takes whole roots in a row for more bytes than a root has, and gives the tail back. */
  long takeRun(Holding holding, long bytes) {
    if (bytes > this.bytes) {
      return NONE;
    }
    long granules = (bytes + granuleBytes - 1) / granuleBytes;
    long roots = (bytes + geometry.rootBytes() - 1) / geometry.rootBytes();
    int first = tree.takeRoots((int) roots);
    if (first < 0) {
      return NONE;
    }
    int count = (int) granules;
    tree.put(first + count, (int) roots * geometry.granulesPerRoot() - count);
    return own(holding, first, count);
  }

  private long takeSmall(Holding holding, int j) {
    if (missed) {
      queueMissed();
    }
    for (int k = j; k < Leaves.SIZES; k++) {
      int granule = lowestWith(holding, k);
      if (granule >= 0) {
        return cut(holding, granule, Leaves.lowest(use[granule], k), j);
      }
    }
    int granule = find(holding.owner, geometry.granuleLevel());
    if (granule < 0) {
      return NONE;
    }
    tree.take(granule, geometry.granuleLevel());
    return settle(holding, granule) ? cut(holding, granule, 0, j) : REFUSED;
  }

  private long takeLarge(Holding holding, int level) {
    int granule = find(holding.owner, level);
    if (granule < 0) {
      return NONE;
    }
    tree.take(granule, level);
    return own(holding, granule, 1 << (geometry.granuleLevel() - level));
  }

  /** Short-lived owners fill from below, long-lived ones from above: they do not mix. */
  private int find(Owner owner, int level) {
    return owner.lifetime() == Lifetime.LONG ? tree.highest(level) : tree.lowest(level);
  }

  /** The lowest home granule with a free chunk of exactly 2^j leaves, or -1. */
  private int lowestWith(Holding holding, int j) {
    GranuleHeap heap = holding.granulesWith[j];
    while (true) {
      int granule = heap.lowest();
      if (granule < 0) {
        return -1;
      }
      boolean ours = home[granule] == holding.id;
      if (ours && kind[granule] == SMALL && (Leaves.sizesFree(use[granule]) >> j & 1) != 0) {
        return granule;
      }
      heap.removeLowest();
      if (ours) {
        queued[granule] &= (byte) ~(1 << j);
      }
    }
  }

  /** Makes a free granule the home of a holding; false if a limit stands against it. */
  private boolean settle(Holding holding, int granule) {
    if (!acquire(holding, granule, 1)) {
      return false;
    }
    kind[granule] = SMALL;
    return true;
  }

  /** Hands 2^j leaves out. */
  private long cut(Holding holding, int granule, int at, int j) {
    long mask = Leaves.mask(at, j);
    long zero = (dirty[granule] & mask) == 0 ? ZERO : 0;
    use[granule] |= mask;
    dirty[granule] |= mask;
    start[granule] |= 1L << at;
    holding.handedOutBytes += 1L << (j + leafShift);
    queue(holding, granule);
    return address(granule, at) | zero;
  }

  /**
   * Puts a granule into the heaps of the sizes that it has free. Without memory for that it is
   * missed, since what was asked for is done already: the next request looks for all that were.
   */
  private void queue(Holding holding, int granule) {
    int sizes = Leaves.sizesFree(use[granule]) & ~queued[granule];
    for (; sizes != 0; sizes &= sizes - 1) {
      int j = Integer.numberOfTrailingZeros(sizes);
      if (holding.granulesWith[j].add(granule)) {
        queued[granule] |= (byte) (1 << j);
      } else {
        missed = true;
      }
    }
  }

  private void queueMissed() {
    missed = false;
    for (int granule = 0; granule < kind.length; granule++) {
      if (kind[granule] == SMALL) {
        queue(holding(granule), granule);
      }
    }
  }

  /** Hands granules out as one chunk. */
  private long own(Holding holding, int granule, int count) {
    if (!acquire(holding, granule, count)) {
      return REFUSED;
    }
    long zero = ZERO;
    for (int g = granule; g < granule + count; g++) {
      kind[g] = g == granule ? LARGE : REST;
      use[g] = -1;
      zero = dirty[g] == 0 ? zero : 0;
      dirty[g] = -1;
    }
    start[granule] = count;
    holding.handedOutBytes += (long) count * granuleBytes;
    return address(granule, 0) | zero;
  }

  /** Charges and commits granules that were taken out of the tree, or puts them back. */
  private boolean acquire(Holding holding, int granule, int count) {
    long charged = (long) count * granuleBytes;
    int fresh = 0;
    for (int g = granule; g < granule + count; g++) {
      fresh += dirty[g] == 0 ? 1 : 0;
    }
    Owner refused = holding.owner.charge(charged);
    if (refused == null && !commitment.commit((long) fresh * granuleBytes)) {
      holding.owner.discharge(charged);
      refused = commitment.root();
    }
    if (refused != null) {
      refusedBy = refused;
      tree.put(granule, count);
      return false;
    }
    committedGranules += fresh;
    holding.granules += count;
    for (int g = granule; g < granule + count; g++) {
      home[g] = holding.id;
      clear(idle, g);
      clear(aged, g);
    }
    return true;
  }

  // Lines: chunks one after the other, for arenas that grow along the address line.

  /**
   * Takes the largest chunk of at most so many leaves that begins at an address, if it is free and
   * at home, or in a free granule: how many leaves, with ZERO or without; NONE, or REFUSED.
   */
  long extend(Holding holding, long address, int leaves) {
    long leaf = (address - base) >> leafShift;
    int granule = (int) (leaf / Geometry.LEAVES);
    int at = (int) (leaf % Geometry.LEAVES);
    if (granule >= kind.length) {
      return NONE;
    }
    if (kind[granule] == SMALL && home[granule] == holding.id) {
      int free = Leaves.freeFrom(use[granule], at);
      if (free == 0) {
        return NONE;
      }
      int most = Math.min(Leaves.SIZES - 1, log2(Math.min(free, leaves)));
      int j = Math.min(most, Integer.numberOfTrailingZeros(at | 1 << Leaves.SIZES));
      return (1 << j) | (cut(holding, granule, at, j) & ZERO);
    }
    return kind[granule] == FREE && at == 0 ? extendInto(holding, granule, leaves) : NONE;
  }

  private long extendInto(Holding holding, int granule, int leaves) {
    if (leaves < Geometry.LEAVES) {
      if (!tree.take(granule, geometry.granuleLevel())) {
        return NONE;
      }
      int j = log2(leaves);
      return settle(holding, granule) ? (1 << j) | (cut(holding, granule, 0, j) & ZERO) : REFUSED;
    }
    int aligned = granule == 0 ? geometry.granulesPerRoot() : Integer.lowestOneBit(granule);
    int count = Integer.highestOneBit(leaves / Geometry.LEAVES);
    count = Math.min(Math.min(aligned, count), geometry.granulesPerRoot());
    while (!tree.take(granule, geometry.granuleLevel() - log2(count))) {
      count /= 2;
    }
    long taken = own(holding, granule, count);
    return taken == REFUSED ? REFUSED : ((long) count * Geometry.LEAVES) | (taken & ZERO);
  }

  /**
   * Where a line of at least {@code need} leaves should begin: the low end of the free leaves
   * around the lowest chunk of {@code want} leaves, a power of two and not less, as far back as the
   * granule before; or a shorter run that is long enough. An address to extend from, or NONE.
   */
  long begin(Holding holding, int need, int want) {
    int j = log2(want);
    for (int k = j; k < Leaves.SIZES; k++) {
      int granule = lowestWith(holding, k);
      if (granule >= 0) {
        return lowEnd(holding, granule, Leaves.lowest(use[granule], k));
      }
    }
    int level = Math.min(geometry.granuleLevel(), Math.max(0, geometry.leafLevel() - j));
    int granule = find(holding.owner, level);
    return granule >= 0 ? lowEnd(holding, granule, 0) : lowestRun(holding, need);
  }

  private long lowEnd(Holding holding, int granule, int at) {
    int low = at - Leaves.freeBefore(use[granule], at);
    int before = granule - 1;
    if (low == 0 && before >= 0 && kind[before] == SMALL && home[before] == holding.id) {
      int free = Leaves.freeBefore(use[before], Geometry.LEAVES);
      return address(granule, 0) - ((long) free << leafShift);
    }
    return address(granule, low);
  }

  /** The lowest run of free leaves at home or in free granules; a look at all granules. */
  private long lowestRun(Holding holding, int need) {
    long run = 0;
    for (int granule = 0; granule < kind.length; granule++) {
      if (kind[granule] == FREE) {
        run += Geometry.LEAVES;
      } else if (kind[granule] != SMALL || home[granule] != holding.id) {
        run = 0;
      } else {
        long word = use[granule];
        for (int at = 0; at < Geometry.LEAVES && run < need; ) {
          int free = Leaves.freeFrom(word, at);
          run = free == 0 ? 0 : run + free;
          at += free;
          if (run >= need) {
            return address(granule, at) - (run << leafShift);
          }
          int used = Math.min(Geometry.LEAVES - at, Long.numberOfTrailingZeros(~(word >>> at)));
          run = used == 0 ? run : 0;
          at += used;
        }
      }
      if (run >= need) {
        return address(granule, Geometry.LEAVES) - (run << leafShift);
      }
    }
    return NONE;
  }

  /**
   * Extends by at least {@code need} leaves, {@code want} at a time if no limit is against that, or
   * not at all: how many, with ZERO or without; NONE, or REFUSED.
   */
  long extendBy(Holding holding, long address, int need, int want) {
    long taken = 0;
    long zero = ZERO;
    int atOnce = want;
    while (taken < need) {
      int most = (int) Math.max(atOnce, need - taken);
      long more = extend(holding, address + (taken << leafShift), most);
      if (more == REFUSED && most > need - taken) {
        atOnce = 0; // a limit may have room for what is needed
        continue;
      }
      if (more == NONE || more == REFUSED) {
        if (taken > 0) {
          putLine(address, taken << leafShift);
        }
        return more;
      }
      taken += more & ~ZERO;
      zero &= more;
    }
    return taken | zero;
  }

  /** Takes a line of at least so many bytes; null if there is none, or a limit is against it. */
  @Nullable Line takeLine(Holding holding, long atLeast, long growthBytes) {
    long from;
    long size;
    if (atLeast > geometry.rootBytes()) {
      from = takeRun(holding, atLeast);
      size = (atLeast + granuleBytes - 1) / granuleBytes * granuleBytes;
    } else {
      int need = leaves(atLeast);
      int want =
          Math.max(ceilingPowerOfTwo(need), leaves(Math.min(growthBytes, geometry.rootBytes())));
      from = begin(holding, need, want);
      long taken = from == NONE ? NONE : extendBy(holding, from, need, want);
      size = (taken & ~ZERO) << leafShift;
      from = taken == NONE || taken == REFUSED ? taken : from | (taken & ZERO);
    }
    lineRefused = from == REFUSED;
    if (from == NONE || from == REFUSED) {
      return null;
    }
    long address = from & ~ZERO;
    Line line = null;
    try {
      line = new Line(holding.owner, this, address, address + size, (from & ZERO) != 0);
      return line;
    } finally {
      if (line == null) {
        putLine(address, size);
      }
    }
  }

  /** Whether the last line that was not taken was refused by a limit. */
  boolean lineRefused() {
    return lineRefused;
  }

  /** Adds to a line what {@link #extendBy} finds behind it. */
  long extendLine(Holding holding, Line line, long atLeast, long growthBytes) {
    if (atLeast > base + bytes - line.end) {
      return NONE;
    }
    long taken = extendBy(holding, line.end, leaves(atLeast), leaves(growthBytes));
    if (taken == NONE || taken == REFUSED) {
      return NONE;
    }
    long more = (taken & ~ZERO) << leafShift;
    boolean extended = false;
    try {
      line.extend(more);
      extended = true;
    } finally {
      if (!extended) {
        putLine(line.end, more);
      }
    }
    return more | (taken & ZERO);
  }

  private int leaves(long count) {
    return (int) ((count + geometry.leafBytes() - 1) >> leafShift);
  }

  private static int ceilingPowerOfTwo(int positive) {
    return positive == 1 ? 1 : Integer.highestOneBit(positive - 1) << 1;
  }

  // Giving back.

  /**
   * Gives a chunk of the program back that is never kept: its bytes; 0 if it is free, or out again
   * by now; -1 if the program holds none that begins there.
   */
  long putChunk(long address) {
    if (marks.isUnkept(address)) {
      return put(address);
    }
    return isFree(address) || marks.get(address) != 0 ? 0 : -1;
  }

  /** Gives the chunk back that begins at an address, for whoever holds it: its bytes. */
  long put(long address) {
    int granule = (int) ((address - base) / granuleBytes);
    int at = (int) ((address - base) >> leafShift) % Geometry.LEAVES;
    marks.clear(address);
    if (kind[granule] == LARGE) {
      return putLarge(granule);
    }
    int leaves = Leaves.length(use[granule], start[granule], at);
    putLeaves(granule, at, leaves);
    return (long) leaves << leafShift;
  }

  /** Gives the chunks back that make up a line. */
  void putLine(long address, long bytes) {
    long leaf = (address - base) >> leafShift;
    long end = leaf + (bytes >> leafShift);
    while (leaf < end) {
      int granule = (int) (leaf / Geometry.LEAVES);
      int at = (int) (leaf % Geometry.LEAVES);
      if (kind[granule] == LARGE) {
        leaf += putLarge(granule) >> leafShift;
      } else {
        int count = (int) Math.min(Geometry.LEAVES - at, end - leaf);
        putLeaves(granule, at, count);
        leaf += count;
      }
    }
  }

  private void putLeaves(int granule, int at, int leaves) {
    long mask = Leaves.run(at, leaves);
    Holding holding = holding(granule);
    use[granule] &= ~mask;
    start[granule] &= ~mask;
    holding.handedOutBytes -= (long) leaves << leafShift;
    if (use[granule] == 0) {
      release(holding, granule, 1);
    } else {
      queue(holding, granule);
    }
  }

  private long putLarge(int granule) {
    int count = (int) start[granule];
    Holding holding = holding(granule);
    for (int g = granule; g < granule + count; g++) {
      use[g] = 0;
    }
    start[granule] = 0;
    holding.handedOutBytes -= (long) count * granuleBytes;
    release(holding, granule, count);
    return (long) count * granuleBytes;
  }

  private void release(Holding holding, int granule, int count) {
    for (int g = granule; g < granule + count; g++) {
      kind[g] = FREE;
      home[g] = 0;
      queued[g] = 0;
      set(idle, g);
    }
    holding.granules -= count;
    holding.owner.discharge((long) count * granuleBytes);
    tree.put(granule, count);
  }

  // Pages back to the system.

  /** Gives pages of free granules back that were free before the last look: whether more are. */
  boolean discardAged() {
    int first = lowest(aged);
    if (first < 0) {
      return false;
    }
    int count = 0;
    while (count < MOST_DISCARDED && first + count < kind.length && has(aged, first + count)) {
      clear(aged, first + count);
      count++;
    }
    boolean discarded = false;
    try {
      discarded = commitment.discard(address(first, 0), (long) count * granuleBytes);
    } finally { // the call may need Java heap that there is not
      for (int g = first; g < first + count; g++) {
        if (discarded) {
          dirty[g] = 0;
        } else {
          set(idle, g); // asked again at the next look
        }
      }
    }
    if (discarded) {
      committedGranules -= count;
      commitment.uncommit((long) count * granuleBytes);
    }
    return true;
  }

  /** What is free from now on has aged at the next look. True if there is something to look at. */
  boolean age() {
    letGoIdle();
    boolean any = false;
    for (int i = 0; i < idle.length; i++) {
      aged[i] |= idle[i];
      idle[i] = 0;
      any |= aged[i] != 0;
    }
    return any;
  }

  /**
   * Gives back the pages, from a granule on, that no used leaf lies on; the next granule, or -1.
   */
  int trim(int from) {
    int end = Math.min(kind.length, from + MOST_DISCARDED);
    for (int granule = from; granule < end; granule++) {
      if (kind[granule] == SMALL) {
        trimGranule(granule);
      }
    }
    return end == kind.length ? -1 : end;
  }

  private void trimGranule(int granule) {
    int perPage = Math.max(1, commitment.pageBytes() >> leafShift);
    if (perPage > Geometry.LEAVES) {
      return;
    }
    long spare = pagesWithout(use[granule], perPage) & ~pagesWithout(dirty[granule], perPage);
    while (spare != 0) {
      int at = Long.numberOfTrailingZeros(spare);
      int count = Math.min(Long.SIZE - at, Long.numberOfTrailingZeros(~(spare >>> at)));
      long mask = Leaves.run(at, count);
      spare &= ~mask;
      if (commitment.discard(address(granule, at), (long) count << leafShift)) {
        dirty[granule] &= ~mask;
      }
    }
  }

  /** The leaves on pages that have no bit set. */
  private static long pagesWithout(long bits, int perPage) {
    long pages = 0;
    for (int at = 0; at < Geometry.LEAVES; at += perPage) {
      long page = Leaves.run(at, perPage);
      pages |= (bits & page) == 0 ? page : 0;
    }
    return pages;
  }

  // Looking.

  /** Adds up what is here. */
  void count(PoolCount into) {
    into.reservedBytes += bytes;
    into.metadataBytes += metadataBytes();
    into.committedBytes += committedGranules * granuleBytes;
    freeChunks(into);
    for (Holding holding : holdings) {
      if (holding != null) {
        into.add(holding, granuleBytes);
      }
    }
  }

  /** Of the maps: about 46 bytes a granule. */
  private long metadataBytes() {
    long words = (long) use.length + start.length + dirty.length + idle.length + aged.length;
    return words * Long.BYTES
        + (long) home.length * Integer.BYTES
        + kind.length
        + queued.length
        + marks.metadataBytes()
        + tree.metadataBytes();
  }

  /** Where a chunk is free: an offset in the region. */
  interface FreeChunk {
    void at(long offset, long bytes);
  }

  /** All free chunks, each as large as it can be, by address. */
  void freeChunks(FreeChunk chunks) {
    for (int granule = 0; granule < kind.length; ) {
      if (kind[granule] == FREE) {
        int count = tree.freeAt(granule);
        if (count == 0) {
          throw new IllegalStateException("granule " + granule + " is free and in no free chunk");
        }
        chunks.at((long) granule * granuleBytes, (long) count * granuleBytes);
        granule += count;
      } else {
        if (kind[granule] == SMALL) {
          freeLeaves(granule, chunks);
        }
        granule++;
      }
    }
  }

  private void freeLeaves(int granule, FreeChunk chunks) {
    for (int at = 0; at < Geometry.LEAVES; ) {
      int free = Leaves.freeFrom(use[granule], at);
      if (free == 0) {
        at++;
      } else {
        int aligned = Integer.numberOfTrailingZeros(at | 1 << Leaves.SIZES);
        int leaves = 1 << Math.min(aligned, log2(free));
        chunks.at(address(granule, at) - base, (long) leaves << leafShift);
        at += leaves;
      }
    }
  }

  /** A character for each granule, as {@link PoolCells} says. */
  void cells(StringBuilder cells) {
    for (int granule = 0; granule < kind.length; granule++) {
      cells.append(
          switch (kind[granule]) {
            case FREE -> dirty[granule] == 0 ? '_' : '.';
            case SMALL -> use[granule] == -1L ? '#' : use[granule] == 0 ? ':' : '+';
            default -> '#';
          });
    }
  }

  /**
   * A character for each granule, a line for each root: {@code .} free, {@code o} free with pages,
   * {@code 1} to {@code 9} home of small chunks, by how full, {@code [} and {@code =} a large
   * chunk.
   */
  void map(StringBuilder map) {
    for (int granule = 0; granule < kind.length; granule++) {
      map.append(
          switch (kind[granule]) {
            case FREE -> dirty[granule] == 0 ? '.' : 'o';
            case SMALL -> (char) ('1' + Long.bitCount(use[granule]) * 8 / Geometry.LEAVES);
            case LARGE -> '[';
            default -> '=';
          });
      if ((granule + 1) % geometry.granulesPerRoot() == 0) {
        map.append('\n');
      }
    }
  }

  /** Throws if maps, tree and counts do not agree. */
  void verify() {
    tree.verify();
    new RegionCheck(geometry, base).check(use, start, dirty, kind, home, tree);
    long committed = 0;
    for (int granule = 0; granule < kind.length; granule++) {
      committed += dirty[granule] == 0 ? 0 : 1;
      boolean waits = has(idle, granule) || has(aged, granule);
      require(waits == (kind[granule] == FREE && dirty[granule] != 0), granule, "is idle or not");
      int sizes = kind[granule] == SMALL ? Leaves.sizesFree(use[granule]) : 0;
      boolean isFound = missed || (sizes & ~queued[granule]) == 0;
      require(isFound, granule, "has free chunks nobody finds");
    }
    require(committed == committedGranules, 0, "committed granules: " + committed + " found");
    verifyHoldings();
  }

  /** The bytes of the chunk that begins at an address; 0 if none does. */
  long chunkBytes(long address) {
    int granule = (int) ((address - base) / granuleBytes);
    int at = (int) ((address - base) >> leafShift) % Geometry.LEAVES;
    if (kind[granule] == LARGE && at == 0) {
      return start[granule] * granuleBytes;
    }
    boolean begins = kind[granule] == SMALL && (start[granule] & 1L << at) != 0;
    return begins ? (long) Leaves.length(use[granule], start[granule], at) << leafShift : 0;
  }

  /** Whether an owner holds so many bytes from an address on, all of them. */
  boolean isHeld(long address, long size, Owner owner) {
    long leaf = (address - base) >> leafShift;
    long end = leaf + (size >> leafShift);
    while (leaf < end) {
      int granule = (int) (leaf / Geometry.LEAVES);
      int at = (int) (leaf % Geometry.LEAVES);
      int count = (int) Math.min(Geometry.LEAVES - at, end - leaf);
      long mask = Leaves.run(at, count);
      if ((use[granule] & mask) != mask || holding(granule).owner != owner) {
        return false;
      }
      leaf += count;
    }
    return true;
  }

  /** Bytes that are handed out, of all owners. */
  long handedOutBytes() {
    long handedOut = 0;
    for (Holding holding : holdings) {
      handedOut += holding == null ? 0 : holding.handedOutBytes;
    }
    return handedOut;
  }

  private void verifyHoldings() {
    long[] granules = new long[holdings.length];
    long[] handedOut = new long[holdings.length];
    for (int granule = 0; granule < kind.length; granule++) {
      if (home[granule] != 0) {
        granules[home[granule] - 1]++;
        handedOut[home[granule] - 1] += (long) Long.bitCount(use[granule]) << leafShift;
      }
    }
    for (int i = 0; i < granules.length; i++) {
      Holding holding = holdings[i];
      if (holding == null) {
        require(granules[i] == 0, 0, granules[i] + " granules of an owner that is gone");
        require(i >= firstFree, 0, "number " + i + " is free and not found");
        continue;
      }
      Owner owner = holding.owner;
      require(owner.holding(this) == holding, 0, owner + " knows nothing of what it holds");
      require(granules[i] == holding.granules, 0, owner + " holds " + granules[i] + " granules");
      require(handedOut[i] == holding.handedOutBytes, 0, owner + " was handed out " + handedOut[i]);
      require(
          holding.usedBytes >= 0 && holding.usedBytes <= handedOut[i],
          0,
          owner + " uses " + holding.usedBytes + " of " + handedOut[i]);
    }
  }

  private void require(boolean holds, int granule, String what) {
    if (!holds) {
      throw new IllegalStateException(
          "region 0x" + Long.toHexString(base) + ", granule " + granule + ": " + what);
    }
  }

  private long address(int granule, int at) {
    return base + (long) granule * granuleBytes + ((long) at << leafShift);
  }

  private static int log2(int positive) {
    return 31 - Integer.numberOfLeadingZeros(positive);
  }

  private static boolean has(long[] bits, int at) {
    return (bits[at / Long.SIZE] & 1L << at) != 0;
  }

  private static void set(long[] bits, int at) {
    bits[at / Long.SIZE] |= 1L << at;
  }

  private static void clear(long[] bits, int at) {
    bits[at / Long.SIZE] &= ~(1L << at);
  }

  private static int lowest(long[] bits) {
    for (int i = 0; i < bits.length; i++) {
      if (bits[i] != 0) {
        return i * Long.SIZE + Long.numberOfTrailingZeros(bits[i]);
      }
    }
    return -1;
  }
}
