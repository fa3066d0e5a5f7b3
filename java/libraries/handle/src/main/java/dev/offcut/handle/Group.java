package dev.offcut.handle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import org.jspecify.annotations.Nullable;

/**
 * The tenured place of up to K handles of one type: one PhantomReference on a token that all of
 * them refer to. Cheaper by the factor K for large populations; the price is pinning: a forgotten
 * member waits for its K−1 neighbours, unless the living among them are used and move out.
 *
 * <p>Equation: a mask bit is set exactly while its value is owned by this group. Who clears the bit
 * releases, closer or net. The group holds its token until its promoter seals it, so that the net
 * cannot see it half filled.
 */
final class Group extends PhantomReference<Object> implements Segment.Cell {
  private static final VarHandle MASK;

  static {
    try {
      MASK = MethodHandles.lookup().findVarHandle(Group.class, "mask", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What the handles of one group refer to; the group's PhantomReference watches it. */
  static final class Token {
    volatile Group group;

    Token(TypeState type) {
      this.group = new Group(this, type);
    }

    Group group() {
      return group;
    }
  }

  private final long[] values;
  private final int birthCycle;
  private int index = -1;
  private int filled;
  private volatile long mask;

  /** Volatile: a promoter whose stack ends seals the group by this store alone. */
  volatile @Nullable Token hold;

  /**
   * A value that stands here once more than handles own it: its promoter's stack ended on the way.
   * The net clears one entry of this value without a release. Guarded by the group's monitor, as
   * the next two.
   */
  long excess;

  boolean hasExcess;

  /** The same of handles that moved out; there are places for all of them before one moves. */
  long @Nullable [] stale;

  int staleCount;

  Group(Token token, TypeState type) {
    super(token, type.queue.references());
    values = new long[type.groupSize];
    birthCycle = GcClock.cycles();
    hold = token;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public void index(int cell) {
    index = cell;
  }

  /** Left to the queue: a sweep would ask for each what few of them have to say. */
  @Override
  public boolean isDead() {
    return false;
  }

  boolean isFull() {
    return filled == values.length;
  }

  boolean isAged() {
    return GcClock.cycles() - birthCycle >= Settings.GROUP_AGE_CYCLES;
  }

  int open() {
    return Long.bitCount(mask);
  }

  /**
   * Adds a value before its handle's link moves here; {@link #take} undoes it when the link is
   * lost.
   */
  void add(long code) {
    values[filled] = code; // plain: the mask's update orders it
    MASK.getAndBitwiseOr(this, 1L << filled);
    filled++;
  }

  /**
   * Takes back the value added last, whose handle was closed meanwhile. If a member of equal value
   * was closed through that entry, its own entry is taken instead. The entry is not used again: a
   * closer with an old view of the mask must not meet another value there.
   */
  void undoAdd() {
    take(values[filled - 1]);
  }

  /** The token, while its promoter fills the group. */
  Token held() {
    return java.util.Objects.requireNonNull(hold, "a sealed group takes no more handles");
  }

  /** Lets the collector see the group. An empty one leaves the registry. */
  void seal() {
    hold = null;
    if (mask == 0) {
      retire();
    }
  }

  /**
   * Takes one entry of this value; equal values are interchangeable, so one that another closer
   * took first leaves its own, and the search begins anew. False if the net has it.
   */
  boolean take(long code) {
    boolean seen = true;
    while (seen) {
      seen = false;
      for (long bits = mask; bits != 0; bits &= bits - 1) {
        long bit = Long.lowestOneBit(bits);
        if (values[Long.numberOfTrailingZeros(bit)] == code) {
          if (clear(bit)) {
            return true;
          }
          seen = true;
        }
      }
    }
    return false;
  }

  private boolean clear(long bit) {
    long before = (long) MASK.getAndBitwiseAnd(this, ~bit);
    if (before == bit && hold == null) {
      retire();
    }
    return (before & bit) != 0;
  }

  private void retire() {
    try {
      if (Segment.remove(this)) {
        clear(); // nothing left to release: the collector need not look at it
      }
    } catch (Throwable t) {
      // for want of stack; the net does it, and the caller has taken its value
    }
  }

  /** Takes nothing, at the depth of {@link #take}: what follows finds the stack it needs. */
  void rehearseTake() {
    synchronized (this) {
      if (stale == null) {
        stale = new long[values.length];
      }
    }
    take(0);
    clear(0);
  }

  private synchronized boolean isExcess(long code) {
    if (hasExcess && excess == code) {
      hasExcess = false;
      return true;
    }
    for (int i = 0; stale != null && i < staleCount; i++) {
      if (stale[i] == code) {
        stale[i] = stale[--staleCount];
        return true;
      }
    }
    return false;
  }

  @Override
  public Step releaseOne(Tally tally) {
    Segment segment = Segment.of(index);
    long bit = Long.lowestOneBit(mask);
    if (segment == null || segment.get(index) != this) {
      return Step.DONE;
    }
    if (bit == 0) {
      retire();
      return Step.DONE;
    }
    long code = values[Long.numberOfTrailingZeros(bit)];
    TypeState type = segment.registry.type;
    if (clear(bit) && !isExcess(code)) {
      Forgotten.release(type, code, null, null, tally);
    }
    return Step.MORE;
  }

  /** Resolves what this class catches: the first time needs memory, see {@code Warmup}. */
  @SuppressWarnings("EmptyCatch")
  static void warm() {
    try {
      throw new Throwable();
    } catch (Throwable t) {
      // seen once
    }
  }
}
