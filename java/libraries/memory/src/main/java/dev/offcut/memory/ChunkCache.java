package dev.offcut.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Chunks that an owner gave back and may want again: taken and kept without a region's lock.
 *
 * <pre>
 *   chunk   out ──free: mark kept, then a slot──▶ kept ──slot emptied, then mark out──▶ out
 *                 └── no room ──▶ the region ◀── decay, refusal, trim, close ──┘
 * </pre>
 *
 * Each of the {@link Stripes#OF_CACHES} has slots for chunks of 4 to 128 leaves, at most 128 KiB of
 * a size with leaves of 1 KiB, 608 KiB together. To the region a kept chunk is handed out; whoever
 * counts says that it is kept. What lies in a slot for two turns of the decay goes to the region.
 *
 * <p>Any thread may use it. What a slot holds belongs to whoever empties it; the exchange publishes
 * what was done with the chunk. A look before the exchange is plain: if it is out of date it costs
 * a request to the region.
 */
final class ChunkCache {
  /** No AtomicLongArray: the compiler may call its methods, but always inlines these. */
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);

  /** Of sizes that are kept: 4, 8, … 128 leaves. */
  private static final int SIZES = 6;

  /** Where the slots of a size begin in a stripe; the last is their end. */
  private static final int[] FIRST = {0, 8, 16, 24, 28, 30, 31};

  /** Slots of a stripe, and so many that two stripes share no cache line. */
  private static final int STRIDE = 48;

  /** In a slot, beside the address: it was there a turn ago already. */
  private static final long AGED = 1;

  private final Account account;
  private final ChunkAllocator allocator;
  private final Geometry geometry;

  /** The level of the largest chunk that is kept, and the bits of the smallest. */
  private final int lowestLevel;

  private final int leastBits;

  /** Made when the first chunk is taken: to give one back must not need memory. */
  private volatile long @Nullable [] slots;

  ChunkCache(Account account, ChunkAllocator allocator) {
    this.account = account;
    this.allocator = allocator;
    geometry = allocator.geometry;
    int units = Integer.numberOfTrailingZeros(ChunkMarks.UNIT_LEAVES);
    leastBits = Integer.numberOfTrailingZeros(geometry.leafBytes()) + units;
    lowestLevel = geometry.leafLevel() - units;
  }

  ChunkAllocator allocator() {
    return allocator;
  }

  /** Takes a kept chunk of at least so many bytes; 0 if there is none of that size. */
  long takeChunk(long bytes) {
    int size = Long.SIZE - Long.numberOfLeadingZeros(bytes - 1) - leastBits;
    if (size < 0 || size >= SIZES) {
      return 0;
    }
    long[] all = slots;
    if (all == null) {
      makeSlots();
      return 0;
    }
    int base = stripe();
    for (int slot = base + FIRST[size], end = base + FIRST[size + 1]; slot < end; slot++) {
      long kept = all[slot];
      if (kept != 0) {
        long address = kept & ~AGED;
        Region region = allocator.regions.findRegion(address);
        if (region == null) {
          return 0; // the pool was closed since the look
        }
        if (SLOT.compareAndSet(all, slot, kept, 0L)) {
          region.marks.takeOut(address, lowestLevel - size);
          return address;
        }
      }
    }
    return 0;
  }

  /** Keeps a chunk of a level that is marked as kept; false if there is no room. */
  boolean keepChunk(long address, int level) {
    int size = lowestLevel - level;
    if (size < 0 || size >= SIZES) {
      return false;
    }
    long[] all = slots;
    if (all == null) {
      return false;
    }
    int base = stripe();
    for (int slot = base + FIRST[size], end = base + FIRST[size + 1]; slot < end; slot++) {
      if (all[slot] == 0 && SLOT.compareAndSet(all, slot, 0L, address)) {
        return true;
      }
    }
    return false;
  }

  private static int stripe() {
    return Stripes.ofThread(Stripes.OF_CACHES) * STRIDE;
  }

  private synchronized void makeSlots() {
    if (slots == null) {
      slots = new long[Stripes.OF_CACHES * STRIDE];
    }
  }

  /** Frees chunks: all, or those that were kept a turn ago already. */
  void age(boolean atOnce) {
    long[] all = slots;
    for (int slot = 0; all != null && slot < all.length; slot++) {
      long kept = (long) SLOT.getVolatile(all, slot);
      if (kept == 0) {
        continue;
      }
      if (atOnce || (kept & AGED) != 0) {
        if (SLOT.compareAndSet(all, slot, kept, 0L)) {
          allocator.freeChunk(kept & ~AGED);
        }
      } else {
        // If it fails somebody took the chunk, and the next one there is young.
        SLOT.compareAndSet(all, slot, kept, kept | AGED);
      }
    }
  }

  /** Is shown the chunks that are kept. */
  interface Visitor {
    void visitKept(Account account, long address, long bytes);
  }

  /** Adds up what is kept. */
  void countInto(PoolCount count) {
    visit((keeper, address, bytes) -> count.addKept(keeper, bytes, 0));
  }

  /** Visits all that is kept; exact at rest. */
  void visit(Visitor visitor) {
    long[] all = slots;
    for (int slot = 0; all != null && slot < all.length; slot++) {
      long kept = (long) SLOT.getVolatile(all, slot);
      if (kept != 0) {
        int size = 0;
        while (slot % STRIDE >= FIRST[size + 1]) {
          size++;
        }
        visitor.visitKept(account, kept & ~AGED, geometry.bytes(lowestLevel - size));
      }
    }
  }
}
