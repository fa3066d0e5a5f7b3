package dev.offcut.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of one size that the threads of one stripe take blocks from, and a lock.
 *
 * <pre>
 *   slabs    by number, with gaps
 *   usable   a bit a slab: if it has a free block; some that have none any more
 *   current  where the next block comes from, if it has one
 *   lowest   no word of usable below has a bit set
 *   spare    of slabs of several blocks the one that emptied last: it stays while it is empty
 *   kept     empty slabs of one block each: a chain for each size
 *   front    a block that was freed: it is the next one, and its slab has it as used
 * </pre>
 *
 * <p>When the current slab is full, the one with the lowest number follows, so that those with high
 * numbers empty; or, if none has a free block, the next that gets one back. Some empty slabs may
 * stay for the next block: without one, a block taken and freed again and again would fetch a chunk
 * each time.
 *
 * <p>The lock and the front are one word, so a block comes from the front, and goes there, with one
 * compare-and-set and without the lock:
 *
 * <pre>
 *   not locked   16 bits: how often it was locked | 44 bits: the front, or 0 | 0000
 *   locked       1; what follows is in {@link #unlocked}
 * </pre>
 *
 * <p>The lock spins, since it is held for a few instructions: nothing else is locked or asked while
 * it is held. The caller holds it for everything but {@link #tryLock}, {@link #lock}, {@link
 * #tryAllocate}, {@link #tryKeepFront}, {@link #lockAndTakeKept} and {@link #lockAndFree}. A heap
 * of one thread has its front in a field of its own, and takes no lock.
 *
 * <p>A stack may end wherever a method is called, in a thread that then has no stack to call {@link
 * #unlock} either. So the handler of each critical section unlocks with a store of {@link
 * #unlocked} to {@link #state}, and each method that changes something makes its calls first, or
 * between changes that stand by themselves: the bin is whole wherever a call fails. What takes more
 * than that, {@link StackProbe} goes before.
 */
final class Bin {
  /** What {@link #free} answers. */
  enum Freed {
    FREED,
    /** Freed, and the slab is out of the bin: its chunk can go. */
    EMPTIED,
    /** It was free already. */
    NOT_OUT,
    /** Not freed: the slab would leave the bin, for which nobody has probed the stack. */
    NOT_PROBED
  }

  /** What {@link #tryAllocate} answers when another thread has the lock. */
  static final long LOCKED_BY_OTHER = -1;

  private static final VarHandle STATE;

  /** The state while a thread has the lock. */
  private static final long LOCKED = 1;

  /** The bits of the state that are the front: addresses have 48 bits, and blocks are aligned. */
  private static final long FRONT = (1L << 48) - SizeClasses.ALIGNMENT;

  /** The largest block that may be the front. */
  private static final long MOST_FRONT_BYTES = 1 << 20;

  /** Is added to the state by each lock. */
  private static final long ONE_LOCK = 1L << 48;

  /** Looks at a locked bin before the processor is left to others, its holder among them. */
  private static final int SPINS = 100;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Bin.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** See above. Handlers of who has the lock store to it: that takes no call. */
  volatile long state;

  /** The state once the lock is free again. Guarded by the lock. */
  long unlocked;

  /** The front of a heap of one thread, which alone uses it; 0 in any other. */
  long ownFront;

  private @Nullable Slab[] slabs = new Slab[1];
  private long[] usable = new long[1];
  private int current;
  private int lowest;

  /** No number below is a gap. */
  private int firstGap;

  /** Nothing is counted when it gets a block, or loses it: programs do that again and again. */
  private @Nullable Slab spare;

  /** The empty slabs of one block, by size in units: chains, the slab that was freed last first. */
  private final @Nullable Slab[] kept;

  private final long mostKeptBytes;
  private long keptBytes;

  private final int unitBits;

  private boolean closed;

  /** Without slabs, for those of several blocks: one that is empty stays. */
  Bin() {
    this(0, 1);
  }

  /**
   * Without slabs, for those of one block.
   *
   * @param mostKeptBytes the most bytes of empty ones that stay
   * @param unitBytes a power of two; the sizes of those that stay are multiples of it
   */
  Bin(long mostKeptBytes, int unitBytes) {
    this.mostKeptBytes = mostKeptBytes;
    unitBits = Integer.numberOfTrailingZeros(unitBytes);
    kept = new Slab[(int) (mostKeptBytes / unitBytes) + 1];
  }

  boolean tryLock() {
    return tryLock(state);
  }

  private boolean tryLock(long seen) {
    if (seen == LOCKED || !STATE.compareAndSet(this, seen, LOCKED)) {
      return false;
    }
    unlocked = seen + ONE_LOCK;
    return true;
  }

  @SuppressWarnings("ThreadPriorityCheck") // yielding makes waiting cheaper, not right
  void lock() {
    for (int spins = 0; !tryLock(); spins++) {
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  void unlock() {
    // Release: the next holder's compare-and-set sees it, and with it all that was done under the
    // lock; nothing here needs to be seen before what this thread does next. BlockHeapThreadsTest
    // hands blocks from thread to thread; x86 keeps stores in order, so it cannot fail there.
    STATE.setRelease(this, unlocked);
  }

  /**
   * Hands out the front; or locks, hands a block out, and unlocks: its address, 0 if none is free,
   * or LOCKED_BY_OTHER. If the stack ends in the call that unlocks, the block is lost until the
   * heap frees all of its blocks: it is out, and nobody was told its address.
   */
  long tryAllocate() {
    long seen = state;
    long front = seen & FRONT;
    if (front != 0) {
      return STATE.compareAndSet(this, seen, seen - front) ? front : LOCKED_BY_OTHER;
    }
    if (!tryLock(seen)) {
      return LOCKED_BY_OTHER;
    }
    boolean done = false;
    try {
      long address = allocateOfSlab();
      unlock();
      done = true;
      return address;
    } finally {
      if (!done) {
        state = unlocked;
      }
    }
  }

  /** Hands a block out: its address, or 0 if none is free. No call after a change. */
  long allocate() {
    long front = front();
    if (front == 0) {
      return allocateOfSlab();
    }
    clearFront();
    return front;
  }

  /**
   * Makes a block that comes back the front, without the lock; or does nothing, and the block has
   * to be freed under the lock. That is so if there is a front; if the block is free; and if no
   * other block of its slab is used and the slab might have to go.
   *
   * <p>What is read here is guarded by the lock. The compare-and-set fails if anyone had the lock
   * since the state was read, as that counts there: so all of it was so at one moment, when the
   * block was out and the front empty.
   */
  boolean tryKeepFront(Slab slab, int block, long address) {
    long seen = state;
    return (seen & (FRONT | LOCKED)) == 0 && mayBeFront(slab, block) && setFront(seen, address);
  }

  /** Makes a block the front, if the state is still the one that was seen. */
  boolean setFront(long seen, long address) {
    return STATE.compareAndSet(this, seen, seen | address);
  }

  /** Whether a block that comes back may be the front, if there is none. */
  boolean mayBeFront(Slab slab, int block) {
    if (slab.isFree(block)) {
      return false;
    }
    return slab.blocks > 1
        ? slab.used > 1 || spare == slab
        : slab.bytes <= MOST_FRONT_BYTES && mayStay(slab);
  }

  /** The front at a state that was seen; 0 if there was none. */
  long front(long seen) {
    return ownFront | (seen & FRONT);
  }

  /** Hands out the front, if the state is still the one that was seen, which had it. */
  boolean takeFront(long seen) {
    if (ownFront != 0) {
      ownFront = 0;
      return true;
    }
    return STATE.compareAndSet(this, seen, seen & ~FRONT);
  }

  /** The front; 0 if there is none. Of the two places, one is always 0. */
  private long front() {
    return front(unlocked);
  }

  private void clearFront() {
    if (ownFront != 0) {
      ownFront = 0;
    } else {
      unlocked &= ~FRONT;
    }
  }

  /** Whether a block is free, be it the front. */
  boolean isFree(Slab slab, int block) {
    return slab.isFree(block) || slab.address(block) == front();
  }

  /** How many blocks of a slab are out: those that are used, but for the front. */
  private int out(Slab slab) {
    return slab.contains(front()) ? slab.used - 1 : slab.used;
  }

  /** The front goes back to its slab, which stays in the bin; whether there was one. */
  private boolean freeFront() {
    long front = front();
    for (int number = 0; front != 0 && number < slabs.length; number++) {
      Slab slab = slabs[number];
      if (slab != null && slab.contains(front)) {
        int block = slab.blockAt(front);
        if (slab.blocks > 1 && slab.isFull()) {
          becomesUsable(number);
        }
        clearFront();
        slab.freeBlock(block);
        slab.isAged = false;
        return true;
      }
    }
    return false;
  }

  /**
   * Hands out a block that is not the front: its address, or 0 if none is free. No call after a
   * change.
   */
  long allocateOfSlab() {
    Slab slab = slabs[current];
    if (slab == null || slab.isFull()) {
      slab = nextUsable();
      if (slab == null) {
        return 0;
      }
    }
    return slab.base + slab.allocateBlock() * slab.blockBytes;
  }

  /**
   * Locks, hands out a kept slab of one block of exactly so many bytes, and unlocks: its address,
   * or 0. If the stack ends in the call that unlocks: as {@link #tryAllocate}.
   */
  long lockAndTakeKept(long bytes) {
    lock();
    boolean done = false;
    try {
      long address = takeKept(bytes);
      unlock();
      done = true;
      return address;
    } finally {
      if (!done) {
        state = unlocked;
      }
    }
  }

  private long takeKept(long bytes) {
    long size = bytes >>> unitBits;
    if (size >= kept.length) {
      return 0;
    }
    Slab slab = kept[(int) size];
    if (slab == null) {
      return 0;
    }
    slab.allocateOnly();
    kept[(int) size] = slab.next;
    slab.next = null;
    keptBytes -= bytes;
    return slab.base;
  }

  private @Nullable Slab nextUsable() {
    for (int word = lowest; word < usable.length; word++) {
      lowest = word;
      while (usable[word] != 0) {
        int number = word * Long.SIZE + Long.numberOfTrailingZeros(usable[word]);
        Slab slab = slabs[number];
        if (slab != null && !slab.isFull()) {
          current = number;
          return slab;
        }
        usable[word] &= usable[word] - 1;
      }
    }
    return null;
  }

  /** Locks, takes a block back, and unlocks. */
  Freed lockAndFree(Slab slab, int block, boolean probed) {
    lock();
    boolean done = false;
    try {
      Freed freed = free(slab, block, probed);
      unlock();
      done = true;
      return freed;
    } finally {
      if (!done) {
        state = unlocked;
      }
    }
  }

  /**
   * Takes a block back.
   *
   * @param probed whether the stack was probed, so that the slab may leave the bin
   */
  Freed free(Slab slab, int block, boolean probed) {
    if (isFree(slab, block)) {
      return Freed.NOT_OUT;
    }
    int left = out(slab) - 1;
    if (left == 0 && !mayStay(slab)) {
      return probed ? freeAndRemove(slab, block) : Freed.NOT_PROBED;
    }
    if (slab.blocks > 1 && slab.isFull()) {
      becomesUsable(slab.number);
    }
    slab.freeBlock(block);
    if (left == 0) {
      slab.isAged = false;
      if (slab.blocks == 1) { // as keep does, but without a call after a change
        int size = (int) (slab.bytes >>> unitBits);
        slab.next = kept[size];
        kept[size] = slab;
        keptBytes += slab.bytes;
      } else if (spare != slab) { // a store of a reference costs more than the question
        spare = slab;
      }
    }
    return Freed.FREED;
  }

  private void keep(Slab slab) {
    int size = (int) (slab.bytes >>> unitBits);
    slab.next = kept[size];
    kept[size] = slab;
    keptBytes += slab.bytes;
  }

  /**
   * The next slab with pages that no used block touches, from a number on; null if there is none.
   * The free blocks on these pages are aside until {@link #lockAndFreeTaken}.
   */
  @Nullable Slab takeFreePages(int from, long pageBytes, FreePages found) {
    for (int number = from; number < slabs.length; number++) {
      Slab slab = slabs[number];
      if (slab != null && slab.used > 0 && !slab.isFull()) {
        found.pages = slab.takeFreePages(pageBytes, found.chunkBytes, found.taken);
        if (found.pages != 0) {
          return slab;
        }
      }
    }
    return null;
  }

  /** Locks, frees what was taken aside of a slab, and unlocks: the slab may have emptied. */
  Freed lockAndFreeTaken(Slab slab, long[] taken) {
    lock();
    try {
      if (slab.isFull()) {
        becomesUsable(slab.number);
      }
      slab.freeTaken(taken);
      if (out(slab) > 0) {
        return Freed.FREED;
      }
      freeFrontOf(slab);
      remove(slab);
      return Freed.EMPTIED;
    } finally {
      state = unlocked;
    }
  }

  /** Which pages of a slab go, and which blocks are aside meanwhile. */
  static final class FreePages {
    final long chunkBytes;
    final long[] taken;
    long pages;

    FreePages(SizeClasses classes) {
      chunkBytes = classes.slabBytes();
      taken = new long[(int) (chunkBytes / SizeClasses.ALIGNMENT + Long.SIZE - 1) / Long.SIZE];
    }
  }

  /** Not a guarded block, which has no access before and behind it. */
  private boolean mayStay(Slab slab) {
    if (slab.blocks > 1) {
      Slab other = spare;
      return other == slab || other == null || out(other) > 0;
    }
    return keptBytes + slab.bytes <= mostKeptBytes && slab.base == slab.chunk;
  }

  /** Takes the last block of a slab back, and the slab out of the bin. */
  private Freed freeAndRemove(Slab slab, int block) {
    freeFrontOf(slab);
    slab.freeBlock(block);
    remove(slab);
    return Freed.EMPTIED;
  }

  /** The front goes back to a slab that is to leave, if it is of that. */
  private void freeFrontOf(Slab slab) {
    long front = front();
    if (slab.contains(front)) {
      int block = slab.blockAt(front);
      clearFront();
      slab.freeBlock(block);
    }
  }

  /** Before a block of a full slab is free: a full one that is marked does no harm. */
  private void becomesUsable(int number) {
    usable[number / Long.SIZE] |= 1L << number;
    lowest = Math.min(lowest, number / Long.SIZE);
    Slab next = slabs[current];
    if (next == null || next.isFull()) {
      current = number;
    }
  }

  /** Adds a slab that has a block in use; false if the bin is closed. */
  boolean add(Slab slab) {
    if (closed) {
      return false;
    }
    while (firstGap < slabs.length && slabs[firstGap] != null) {
      firstGap++;
    }
    if (firstGap == slabs.length) {
      @Nullable Slab[] more = Arrays.copyOf(slabs, 2 * slabs.length);
      usable = Arrays.copyOf(usable, (more.length + Long.SIZE - 1) / Long.SIZE);
      slabs = more;
    }
    slab.number = firstGap;
    slabs[firstGap] = slab;
    usable[firstGap / Long.SIZE] |= 1L << firstGap;
    lowest = Math.min(lowest, firstGap / Long.SIZE);
    return true;
  }

  private void remove(Slab slab) {
    if (spare == slab) {
      spare = null;
    }
    slabs[slab.number] = null;
    usable[slab.number / Long.SIZE] &= ~(1L << slab.number);
    firstGap = Math.min(firstGap, slab.number);
  }

  /**
   * Puts empty slabs out that were empty at the last call and ever since; at once, if said. Those
   * that are out, as a chain: a list would need heap, and this is done when a block is freed.
   */
  @Nullable Slab age(boolean atOnce) {
    if (!freeFront() && keptBytes == 0 && (spare == null || spare.used > 0)) {
      return null;
    }
    Slab out = null;
    Arrays.fill(kept, null);
    keptBytes = 0;
    for (Slab slab : slabs) {
      if (slab != null && slab.used == 0) {
        boolean hasRoom = slab.blocks > 1 || keptBytes + slab.bytes <= mostKeptBytes;
        if (atOnce || slab.isAged || !hasRoom) {
          out = putOut(slab, out);
        } else {
          slab.isAged = true;
          if (slab.blocks == 1) {
            keep(slab);
          }
        }
      }
    }
    return out;
  }

  /** Frees all blocks and puts all slabs out, as a chain; whether one may come again. */
  @Nullable Slab clear(boolean close) {
    Slab out = null;
    clearFront();
    for (Slab slab : slabs) {
      if (slab != null) {
        slab.freeAll();
        out = putOut(slab, out);
      }
    }
    keptBytes = 0;
    Arrays.fill(kept, null);
    closed |= close;
    return out;
  }

  private Slab putOut(Slab slab, @Nullable Slab others) {
    remove(slab);
    slab.next = others;
    return slab;
  }

  /** Bytes of the blocks that are out, without those that wait. */
  long usedBytes() {
    long bytes = 0;
    for (Slab slab : slabs) {
      bytes += slab == null ? 0 : (out(slab) - slab.aside) * slab.blockBytes;
    }
    return bytes;
  }

  /** Throws if slabs, bits and counts do not agree. */
  void verify(SlabMap map) {
    for (int number = 0; number < slabs.length; number++) {
      Slab slab = slabs[number];
      boolean marked = (usable[number / Long.SIZE] & 1L << number) != 0;
      if (slab == null) {
        require(!marked && number >= firstGap, number, "is not there");
        continue;
      }
      slab.verify();
      require(
          out(slab) > 0 || slab.blocks == 1 || slab == spare,
          number,
          "has no block in use, and stays beside another");
      require(slab.number == number, number, "has the number " + slab.number);
      require(slab.bin == this, number, "has another bin");
      require(
          slab.isFull() || (marked && number / Long.SIZE >= lowest),
          number,
          "has free blocks that no request finds");
      require(map.of(slab.base) == slab, number, "is not found by its address");
    }
    verifyKept();
    long front = front();
    for (Slab slab : slabs) {
      if (slab != null && slab.contains(front)) {
        int block = slab.blockAt(front);
        require(block >= 0 && !slab.isFree(block), slab.number, "has no block in front");
        front = 0;
      }
    }
    require(front == 0, 0, "or none has the block in front");
  }

  private void verifyKept() {
    long bytes = 0;
    for (int size = 0; size < kept.length; size++) {
      for (Slab slab = kept[size]; slab != null; slab = slab.next) {
        bytes += slab.bytes;
        require(
            slab.used == 0
                && slab.blocks == 1
                && slab.bytes == (long) size << unitBits
                && slabs[slab.number] == slab
                && bytes <= keptBytes,
            slab.number,
            "is kept, and should not be");
      }
    }
    require(bytes == keptBytes && bytes <= mostKeptBytes, 0, "or others are kept: " + bytes);
    for (Slab slab : slabs) {
      bytes -= slab != null && slab.used == 0 && slab.blocks == 1 ? slab.bytes : 0;
    }
    require(bytes == 0, 0, "or another is empty, and no request finds it");
  }

  /** Says which chunks its slabs are of. */
  void claimChunks(Claims claims, Account account) {
    for (Slab slab : slabs) {
      if (slab != null) {
        claims.addChunk(slab.chunk, account, slab);
      }
    }
  }

  private static void require(boolean holds, int number, String what) {
    if (!holds) {
      throw new IllegalStateException("slab " + number + " " + what);
    }
  }
}
