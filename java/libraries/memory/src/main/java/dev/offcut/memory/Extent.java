package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Chunks one after the other that an arena cuts blocks from: it grows at its end as long as the
 * memory behind it is free, so a block may lie across the seam of two chunks.
 *
 * <pre>
 *   from              pos              ready           dirtyTo            end
 *    │ blocks          │ zeroed ahead    │ anything      │ zeros           │
 * </pre>
 *
 * The first extent of an arena has a number, under which the net finds it if the arena is
 * forgotten. An open extent belongs to its arena, a kept one to whoever takes it out of the stripe.
 */
final class Extent {
  private static final VarHandle KEPT;
  private static final VarHandle THREAD;
  private static final VarHandle USES;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      KEPT = lookup.findVarHandle(Extent.class, "kept", boolean.class);
      THREAD = lookup.findVarHandle(Extent.class, "thread", Thread.class);
      USES = lookup.findVarHandle(Extent.class, "uses", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Its arena is open, or was forgotten. */
  static final byte OPEN = 0;

  /** Its arena was closed. */
  static final byte CLOSED = 1;

  /** Its arena was closed and had no other: the next one may have it. */
  static final byte REUSABLE = 2;

  final ExtentCache cache;
  private final NativeMemory memory;
  final Region region;
  final long from;
  long end;

  /** From here on there are zeros, as far as the region knows; its arena may know of less. */
  long dirtyTo;

  /**
   * A bit for each {@link Settings#BLOCK_BYTES}: a block begins here, in use or freed. As long as
   * the last block needs, and one word at least.
   */
  long[] starts;

  /** The blocks among them that were freed; made when one is, and as long. */
  long @Nullable [] freed;

  /** Up to here there are blocks: where its arena has come, when it looks for free ones. */
  long filledTo;

  /** The number by which the net knows it; 0 for the second and later extents of an arena. */
  int number;

  /** How many extents its arena had before. */
  int index;

  /** A later extent of the same arena. */
  @Nullable Extent next;

  /** Of the first extent of an arena: OPEN, CLOSED or REUSABLE. */
  byte state;

  /** Of an extent that is kept: the open lease for the next arena, if there is one. */
  @Nullable Lease lease;

  /** Whether its lease may end without it: another begins. */
  boolean stays;

  /** Whether it was kept at the last turn already. */
  boolean aged;

  /** Where it is kept, also while it is used; -1 if nowhere. */
  int slot = -1;

  /** Whether it is in its slot for whoever takes it. Stored to, as false, where no call may be. */
  volatile boolean kept;

  /** Bytes that the region counts as used. */
  long countedBytes;

  /** Whose own it is, for one arena after the other; null if nobody's. */
  volatile @Nullable Thread thread;

  /** Odd while an arena of its thread is open in it. Written by its thread alone. */
  private int uses;

  /** Whether its thread may open no arena in it, since another thread takes it back. */
  private volatile boolean revoked;

  /** Of a thread's own: up to here there are zeros while no arena is open in it. */
  long ownEnd;

  /** What {@link #uses} was at the last turn. */
  private int agedUses;

  /** To how many arenas of a thread it is not given as its own, since one needed a lease. */
  int skips;

  Extent(ExtentCache cache, Region region, long from, long end, boolean zero) {
    this.cache = cache;
    memory = cache.allocator.memory;
    this.region = region;
    this.from = from;
    this.end = end;
    dirtyTo = zero ? from : end;
    long marked = Math.min(end - from, Settings.FIRST_MARKED_BYTES);
    starts = new long[wordOf(marked - 1) + 1];
  }

  /** Takes it out of what is kept; false if another thread was first. */
  boolean tryTake() {
    // A look before the exchange, which is opaque: what it misses costs a request to the pool.
    return (boolean) KEPT.getOpaque(this) && KEPT.compareAndSet(this, true, false);
  }

  /** Leaves it to whoever takes it. Release: that one sees what was done with it. */
  void offer() {
    KEPT.setRelease(this, true);
  }

  boolean isKept() {
    return (boolean) KEPT.getAcquire(this); // a count looks at it afterwards
  }

  /*
   * An extent of a thread's own. Its thread opens and closes arenas in it without a compare-and-set,
   * and another thread takes it back although it may be used at any moment:
   *
   *   its thread, opening            the other
   *     uses = odd                     revoked = true
   *     fence of the compiler          handshake: each thread has been stopped once
   *     revoked? then uses = even      uses even? then thread = null, and it is the other's
   *
   * A thread that was stopped before its store finds `revoked`; one that was stopped after it has
   * `uses` odd, which the other finds. What lies between in its program cannot be seen in another
   * order: the fence holds the compiler, the handshake the processor. Nothing of an ended thread can
   * change any more, and all of it is seen by whoever knows that it has ended; so there it takes no
   * handshake. Who sets `thread` by its exchange has the extent, of several who try.
   *
   * ExtentRevocationTest fails without the handshake, and without the look at `revoked`.
   */

  /** Stops each thread for a moment, as each close of a shared arena does. */
  static void handshake() {
    Arena.ofShared().close();
  }

  /** Opens an arena of its thread in it; false if one is open, or another thread takes it back. */
  boolean tryOpen() {
    int before = uses;
    if ((before & 1) != 0) {
      return false;
    }
    VarHandle.releaseFence(); // a rehearsal: no stack ends at the next one
    uses = before + 1; // plain: the handshake makes it seen, and nobody needs it before
    VarHandle.releaseFence(); // in the program no load of what is below comes before the store
    if (revoked) {
      uses = before;
      return false;
    }
    return true;
  }

  /**
   * Zeros what the arena of its thread had, up to an address, and ends it. If it cannot make zeros,
   * it fits no arena from then on, and goes back to its region.
   */
  void close(long pos, boolean hasBits) {
    boolean isZero = false;
    try {
      if (hasBits) {
        clearStarts(pos);
      }
      memory.clear(from, Math.max(pos - from, Settings.LEAST_ZEROED_BYTES));
      VarHandle.releaseFence(); // who finds it even, finds zeros; acquire in isOpen
      isZero = true;
    } finally { // stores alone
      if (!isZero) {
        ownEnd = from;
      }
      uses++; // plain, after the fence
    }
  }

  /** Whether an arena of its thread is open in it, or was forgotten. */
  boolean isOpen() {
    return ((int) USES.getAcquire(this) & 1) != 0; // pairs with the fence in close
  }

  /** Makes it a thread's own that was nobody's. The caller has it, with zeros. */
  void giveTo(Thread newThread) {
    agedUses = -1;
    thread = newThread;
  }

  /** Takes it from its thread; false if another was first. */
  boolean takeFrom(Thread before, @Nullable Thread after) {
    return THREAD.compareAndSet(this, before, after);
  }

  /** Its thread gives it up, with the arena that is open in it. */
  void leaveThread() {
    thread = null;
    USES.setRelease(this, uses + 1); // who finds it even, finds that it is no thread's
  }

  /** What an arena left that its ended thread forgot. The caller has taken it from that thread. */
  void closeForgotten() {
    boolean isZero = false;
    try {
      memory.clear(from, end - from);
      Arrays.fill(starts, 0);
      isZero = true;
    } finally {
      if (!isZero) {
        ownEnd = from; // as in close
      }
      uses++;
    }
  }

  /**
   * Begins to take it back, for the second look after a handshake. Not if an arena is open in it,
   * or, unless {@code atOnce}, one was since the last turn.
   *
   * @return whether it takes a handshake
   */
  boolean revoke(boolean atOnce) {
    int now = (int) USES.getOpaque(this); // a guess; the look after the handshake counts
    boolean isIdle = (now & 1) == 0 && (atOnce || now == agedUses);
    agedUses = now;
    if (isIdle) {
      revoked = true;
    }
    return revoked; // or since a look that did not come to its end
  }

  /**
   * After the handshake: takes it back, if no arena was opened before it. Then it stays revoked:
   * its thread may have found it to be its own and be about to open an arena. So it must not become
   * a thread's own again.
   */
  boolean takeRevoked(Thread of) {
    boolean isTaken = revoked && !isOpen() && takeFrom(of, null);
    if (!isTaken) {
      revoked = false;
    }
    return isTaken;
  }

  /** Takes it back from an ended thread; not if that used it since the last turn. */
  boolean takeFromEnded(Thread of, boolean atOnce) {
    int now = uses;
    boolean isDue = atOnce || (now & 1) != 0 || now == agedUses;
    agedUses = now;
    revoked = false;
    return isDue && takeFrom(of, null);
  }

  boolean contains(long address) {
    return address >= from && address < end;
  }

  long bytes() {
    return end - from;
  }

  /** The word of the bit of an offset. */
  private static int wordOf(long offset) {
    return (int) (offset / Settings.BLOCK_BYTES / Long.SIZE);
  }

  /** Makes room for the bit of an offset, if there is none. */
  void reach(long offset) {
    int word = wordOf(offset);
    if (word >= starts.length) {
      int length = Math.max(word + 1, 2 * starts.length);
      long[] moreFreed = freed == null ? null : Arrays.copyOf(freed, length);
      starts = Arrays.copyOf(starts, length);
      freed = moreFreed;
    }
  }

  /** Notes where a block begins. If it throws, nothing has changed. */
  void addStart(long at) {
    int bit = (int) ((at - from) / Settings.BLOCK_BYTES);
    if (bit / Long.SIZE >= starts.length) {
      reach(at - from);
    }
    starts[bit / Long.SIZE] |= 1L << bit;
  }

  /** Adds bytes at its end. The caller has the region's lock. */
  void extend(long more, boolean isZero) {
    end += more;
    if (!isZero) {
      dirtyTo = end;
    }
  }

  /** Adds a later extent of the same arena. */
  void addLater(Extent extent) {
    extent.next = next;
    next = extent;
  }

  /** Leaves it as the next arena finds it, when it is the only one of its arena. */
  void makeReusable(long pos, long dirtyTo) {
    this.dirtyTo = dirtyTo;
    clearStarts(pos);
    if (freed != null) {
      freed = null; // a look costs less than the collector's barrier
    }
    state = REUSABLE;
  }

  private void clearStarts(long pos) {
    int words = wordOf(pos - from) + 1;
    if (words == 1) {
      starts[0] = 0;
    } else {
      Arrays.fill(starts, 0, Math.min(words, starts.length), 0);
    }
  }

  /** Tells the region how much of it is used. The caller has the region's lock. */
  void countUsed(Holding holding, long usedBytes) {
    holding.usedBytes += usedBytes - countedBytes;
    countedBytes = usedBytes;
  }
}
