package dev.offcut.memory;

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
 * The first line of an arena has a number, under which the net finds it if the arena is forgotten.
 * An open line belongs to its arena, a kept one to whoever takes it out of the stripe.
 */
final class Line {
  private static final VarHandle KEPT;

  static {
    try {
      KEPT = MethodHandles.lookup().findVarHandle(Line.class, "kept", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Owner owner;
  final Region region;
  final long from;
  long end;

  /** From here on there are zeros. Of an open line only its arena knows. */
  long dirtyTo;

  /** A bit for each {@link Settings#BLOCK_BYTES}: a block begins here, in use or freed. */
  long[] starts = {};

  /** The blocks among them that were freed; made when one is. */
  long @Nullable [] freed;

  /** Up to here there are blocks: where its arena has come, when it looks for free ones. */
  long filledTo;

  /** The number by which the net knows it; 0 for the second and later lines of an arena. */
  int number;

  /** How many lines its arena had before. */
  int index;

  /** A later line of the same arena. */
  @Nullable Line next;

  /** Whether its arena was closed, and not forgotten. */
  boolean closed;

  /** Of the first line of an arena: whether the arena was closed, however many lines it had. */
  boolean ended;

  /** Of a line that is kept: the open lease for the next arena, if there is one. */
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

  Line(Owner owner, Region region, long from, long end, boolean zero) {
    this.owner = owner;
    this.region = region;
    this.from = from;
    this.end = end;
    dirtyTo = zero ? from : end;
    reach(end);
  }

  /** Takes it out of what is kept; false if another thread was first. */
  boolean take() {
    // A look before the exchange, which is opaque: what it misses costs a request to the pool.
    return (boolean) KEPT.getOpaque(this) && KEPT.compareAndSet(this, true, false);
  }

  /** Leaves it to whoever takes it. Release: that one sees what was done with it. */
  void keep() {
    KEPT.setRelease(this, true);
  }

  boolean isKept() {
    return (boolean) KEPT.getAcquire(this); // a count looks at it afterwards
  }

  boolean has(long address) {
    return address >= from && address < end;
  }

  long bytes() {
    return end - from;
  }

  /** Makes room for the bits up to an end. */
  private void reach(long newEnd) {
    long words = ((newEnd - from) / Settings.BLOCK_BYTES + Long.SIZE - 1) / Long.SIZE;
    if (words > starts.length) {
      int length = Math.toIntExact(Math.max(words, 2L * starts.length));
      long[] moreFreed = freed == null ? null : Arrays.copyOf(freed, length);
      starts = Arrays.copyOf(starts, length);
      freed = moreFreed;
    }
  }

  /** Added at its end, under the region's lock. */
  void extend(long more) {
    reach(end + more);
    end += more;
  }

  /** Adds a line of the same arena. */
  void add(Line line) {
    line.next = next;
    next = line;
  }

  /** Leaves it as the next arena finds it, when it is the only one of its arena. */
  void settle(long pos, long dirtyTo) {
    this.dirtyTo = dirtyTo;
    int words = (int) ((pos - from) / Settings.BLOCK_BYTES / Long.SIZE) + 1;
    if (words == 1) {
      starts[0] = 0;
    } else {
      Arrays.fill(starts, 0, Math.min(words, starts.length), 0);
    }
    if (freed != null) {
      freed = null; // a look costs less than the collector's barrier
    }
    closed = true;
  }

  /** Tells the region how much of it is used. The caller has the region's lock. */
  void count(Holding holding, long usedBytes) {
    holding.usedBytes += usedBytes - countedBytes;
    countedBytes = usedBytes;
  }
}
