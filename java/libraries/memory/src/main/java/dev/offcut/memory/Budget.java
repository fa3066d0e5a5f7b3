package dev.offcut.memory;

import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One limit for several pools and for memory that no pool has. A request of a pool that would
 * exceed it throws a {@link MemoryLimitException}, which names the largest holder. In a container,
 * the program then goes on, instead of being killed for want of memory.
 *
 * <pre>{@code
 * Budget budget = Budget.ofContainer().create();
 * MemoryPool cache = MemoryPool.named("cache").budget(budget).create();
 * MemoryPool network = MemoryPool.named("network").budget(budget).create();
 * budget.register("parser", parser::nativeBytes);
 * }</pre>
 *
 * <p>A budget of bytes limits what its pools have committed and reserved, and what is registered. A
 * budget of the container limits its pools to what the container has left: the limit less what its
 * processes use, what the Java heap may still grow by, what pools have taken and not written yet,
 * and a margin. See {@link BudgetSnapshot}.
 *
 * <p><b>Looks.</b> Only pools tell the budget of each change. All else it reads at a look: at least
 * once a second while it has a pool, ten times as often when little is left, after a pool took an
 * eighth of what was left, and before it refuses a request. Memory that grows faster than that, in
 * the Java heap or in a library, is not seen in time; the margin is for it.
 *
 * <p><b>Before a refusal</b> the budget asks all its pools to return unused memory to the system,
 * and runs the function of {@link Builder#onShortage}; if another thread is in that function, it
 * waits for it.
 *
 * <p><b>Dropped pools.</b> A pool that the program drops without a close leaves the budget once the
 * collector has found it. Its memory stays with the process, and the budget no longer counts it.
 *
 * <p><b>Lifetime.</b> A budget has no close. It ends with the pools and the code that use it.
 *
 * <p><b>Threads.</b> Any thread.
 */
public final class Budget extends Allowance {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** A look at the container is good for so long: it takes 0.1 ms. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** The time between two trims, which take a microsecond a page. */
  private static final long TRIM_NANOS = SECOND;

  /** Which part of the room may be charged before the next look. */
  private static final int STEPS = 8;

  /** A look for each smaller charge would cost more than the accuracy is worth. */
  private static final long LEAST_STEP_BYTES = 1 << 20;

  /** More than any machine has, and little enough for sums of such figures. */
  private static final long MOST_BYTES = 1L << 50;

  private final String name;
  private final long shortageBytes;
  private final Shortage shortage;
  private final boolean isOfContainer;
  private final List<Registration> registrations = new CopyOnWriteArrayList<>();
  private final List<Member> pools = new CopyOnWriteArrayList<>();
  private final ReferenceQueue<MemoryPool> droppedPools = new ReferenceQueue<>();

  /** Guards all below. It is taken last, and no code of the program runs under it. */
  private final Object lookLock = new Object();

  private final BudgetLook look;
  private long lookedAt;
  private long trimmedAt;
  private @Nullable IOException lastFailure;
  private @Nullable Decay turns;

  private Budget(Builder builder) throws IOException {
    name = builder.name;
    shortageBytes = builder.shortageBytes;
    shortage = new Shortage(this, builder.onShortage, builder.shortageWaitNanos);
    ContainerMemory container = builder.container;
    isOfContainer = container != null;
    look = new BudgetLook(this, container, builder.bytes, builder.marginBytes);
    LongSupplier direct = builder.isDirectCounted ? DirectMemory.bytes() : null;
    if (direct != null) {
      registrations.add(new Registration(this, "direct buffers", direct));
    }
    trimmedAt = System.nanoTime() - TRIM_NANOS;
    askRegistrations();
    look.look(0);
    publish();
  }

  /**
   * Starts the settings of a budget with a fixed limit.
   *
   * @param bytes the limit
   * @return a builder
   * @throws IllegalSizeException if {@code bytes} is not positive
   */
  public static Builder ofBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalSizeException("a budget of " + bytes + " bytes: give a positive limit");
    }
    return new Builder(bytes, null);
  }

  /**
   * Starts the settings of a budget with the limit of the container, of any control group (version
   * 1 or 2) that this process is in. If the limit changes later, the budget follows.
   *
   * @return a builder
   * @throws UnsupportedOperationException if this process is in no control group with a limit
   */
  public static Builder ofContainer() {
    return ofContainer(ContainerMemory.ofThisProcess());
  }

  /** With the groups that a test has made. */
  static Builder ofContainer(ContainerMemory container) {
    return new Builder(Long.MAX_VALUE, container);
  }

  /** {@return the name of this budget in reports} */
  public String name() {
    return name;
  }

  /** {@return the limit in bytes: as given, or as the container's limit was at the last look} */
  public long limitBytes() {
    synchronized (lookLock) {
      return look.limitBytes;
    }
  }

  /**
   * Adds memory that no pool has, such as that of a library. Direct buffers are registered already.
   * The JVM does not count the memory of its arenas ({@code java.lang.foreign.Arena}).
   *
   * <p>In a budget of the container, the bytes are only shown: the container counts them.
   *
   * @param holder the name in reports; not blank
   * @param bytes returns how many there are. Any thread that uses a pool may call it, also several
   *     at the same time; the budget holds no lock meanwhile. It must be short, and must not use a
   *     pool of the budget. If it throws, the last figure still counts, and the thread's handler
   *     for uncaught exceptions gets the name of the holder
   * @return the registration; the caller closes it when the memory is gone
   * @throws IllegalArgumentException if the name is blank
   */
  public Registration register(String holder, LongSupplier bytes) {
    if (holder.isBlank()) {
      throw new IllegalArgumentException("a holder needs a name: it stands in every report");
    }
    Registration registration = new Registration(this, holder, bytes);
    registrations.add(registration);
    lookNow(true, 0);
    return registration;
  }

  /** Memory that no pool has, on a budget until {@link #close}. */
  public static final class Registration implements AutoCloseable {
    private final Budget budget;
    private final String holder;
    private final LongSupplier supplier;

    private volatile long bytes;

    /** Whether the supplier threw when it was last asked: only the first time is reported. */
    private volatile boolean isBroken;

    private Registration(Budget budget, String holder, LongSupplier supplier) {
      this.budget = budget;
      this.holder = holder;
      this.supplier = supplier;
    }

    /**
     * Asks the program how many bytes there are, without a lock. If its function throws, the figure
     * stays.
     */
    void ask() {
      try {
        bytes = Math.clamp(supplier.getAsLong(), 0, MOST_BYTES);
        isBroken = false;
      } catch (Throwable e) {
        reportBroken(e);
      }
    }

    private void reportBroken(Throwable thrown) {
      boolean isReported = isBroken;
      isBroken = true;
      if (!isReported) {
        Uncaught.report(
            "the supplier of " + holder + " threw, and " + bytes + " bytes still count", thrown);
      }
    }

    long bytes() {
      return bytes;
    }

    /** Takes the memory off the budget. Further calls do nothing. */
    @Override
    public void close() {
      if (budget.registrations.remove(this)) {
        budget.lookNow(true, 0);
      }
    }

    @Override
    public String toString() {
      return holder;
    }
  }

  /** {@return who holds memory, by a look at it now} */
  public BudgetSnapshot snapshot() {
    lookNow(true, 0);
    return lastSnapshot();
  }

  @Override
  public String toString() {
    return name;
  }

  // Looks.

  List<Registration> registrations() {
    return registrations;
  }

  List<Member> pools() {
    return pools;
  }

  /**
   * A pool on the budget, which does not keep it. A pool that the program drops without a close is
   * taken off: nobody can free its memory any more, and the budget would be short of it for ever.
   */
  static final class Member extends WeakReference<MemoryPool> {
    final Commitment commitment;

    Member(MemoryPool pool, ReferenceQueue<MemoryPool> dropped) {
      super(pool, dropped);
      commitment = pool.allocator().commitment;
    }
  }

  void add(MemoryPool pool) {
    pools.add(new Member(pool, droppedPools));
    synchronized (lookLock) {
      if (turns == null) {
        turns = Decay.watch(this);
      }
    }
  }

  void remove(MemoryPool pool) {
    List<Member> gone = new ArrayList<>();
    for (Member each : pools) {
      if (each.refersTo(pool)) {
        gone.add(each);
      }
    }
    pools.removeAll(gone);
    endTurns();
  }

  /** Takes pools off that were dropped without a close, with all that they had charged. */
  private void removeDropped() {
    for (Object each = droppedPools.poll(); each != null; each = droppedPools.poll()) {
      if (each instanceof Member member && pools.remove(member)) {
        member.commitment.uncommitAll();
        endTurns();
      }
    }
  }

  /** Ends the looks of the decay's thread after the last pool. */
  private void endTurns() {
    synchronized (lookLock) {
      if (pools.isEmpty() && turns != null) {
        turns.end();
        turns = null;
      }
    }
  }

  /** A look of the decay's thread: the nanoseconds until the next one. */
  long turn() {
    lookNow(true, 0);
    synchronized (lookLock) {
      return isOfContainer && look.roomBytes < look.limitBytes / 4 ? SECOND / 10 : SECOND;
    }
  }

  /**
   * Looks, unless the last look is fresh enough. If the container cannot be read, what was allowed
   * before stays allowed.
   */
  private void lookNow(boolean atOnce, long wanted) {
    if (!atOnce && isFresh()) {
      return;
    }
    removeDropped();
    askRegistrations();
    synchronized (lookLock) {
      if (!atOnce && isFresh()) {
        return; // another thread has looked meanwhile
      }
      try {
        look.look(wanted);
        lastFailure = null;
        publish();
      } catch (IOException e) {
        lastFailure = e;
      }
      lookedAt = System.nanoTime();
    }
  }

  private boolean isFresh() {
    synchronized (lookLock) {
      return isOfContainer && System.nanoTime() - lookedAt < FRESH_NANOS;
    }
  }

  /** Calls the suppliers of the program: without a lock, since each may wait for any other. */
  private void askRegistrations() {
    registrations.forEach(Registration::ask);
  }

  private boolean isExact() {
    synchronized (lookLock) {
      return look.isExact;
    }
  }

  private void publish() {
    long room = look.roomBytes;
    long allowed = look.chargedBytes + room;
    long step = Math.max(LEAST_STEP_BYTES, room / STEPS);
    boolean looks = isOfContainer || !registrations.isEmpty();
    allow(allowed, allowed - shortageBytes, looks ? step : Long.MAX_VALUE);
  }

  /**
   * What follows a request: a look if one is due, and the callback. Without any lock. It throws
   * nothing, since the request may have been granted already.
   */
  void followUp() {
    try {
      if (isStale()) {
        lookNow(false, 0);
      }
      if (takeRunsShort()) {
        shortage.tryCallBack();
      }
    } catch (Throwable e) {
      Uncaught.report("a look at budget " + name + " failed", e);
    }
  }

  /**
   * Tries to make room for a request that would be refused: looks again, asks the pools and the
   * program to give memory back, and looks once more. Without any lock.
   *
   * @param bytes what would be charged
   * @return whether there is room now
   */
  boolean makeRoom(long bytes) {
    lookNow(!isExact(), bytes);
    if (hasRoom(bytes)) {
      return true;
    }
    giveBack(bytes);
    if (!hasRoom(bytes)) {
      shortage.makeRoom(() -> hasRoomNow(bytes));
      giveBack(bytes); // what the function freed is in the pools still
    }
    return hasRoom(bytes);
  }

  private boolean hasRoomNow(long bytes) {
    giveBack(bytes);
    return hasRoom(bytes);
  }

  private void giveBack(long wanted) {
    boolean trims = startTrim();
    for (Member each : pools) {
      MemoryPool pool = each.get();
      if (pool != null) {
        pool.giveBack(trims);
      }
    }
    lookNow(true, wanted);
  }

  private boolean startTrim() {
    synchronized (lookLock) {
      long now = System.nanoTime();
      boolean is = isOfContainer && now - trimmedAt >= TRIM_NANOS;
      trimmedAt = is ? now : trimmedAt;
      return is;
    }
  }

  // Reports.

  String describeRefusal() {
    return lastSnapshot().describeRefusal(name, isOfContainer);
  }

  /** By the last look, and with what pools hold now. */
  private BudgetSnapshot lastSnapshot() {
    List<BudgetSnapshot.Holder> holders = new ArrayList<>();
    for (Member each : pools) {
      MemoryPool pool = each.get();
      if (pool != null) {
        BudgetSnapshot.addOwners(pool.snapshot(), holders);
      }
    }
    for (Registration each : registrations) {
      BudgetSnapshot.add(holders, each.holder, each.bytes());
    }
    holders.sort(Comparator.comparingLong(BudgetSnapshot.Holder::bytes).reversed());
    synchronized (lookLock) {
      String failed =
          lastFailure == null ? "" : ", which cannot be read any more: " + lastFailure.getMessage();
      return new BudgetSnapshot(
          name,
          look.limitBytes,
          look.limit + failed,
          look.usedBytes,
          look.heapGrowthBytes,
          look.untouchedBytes,
          look.marginBytes,
          roomBytes(),
          charged(),
          holders);
    }
  }

  /** Collects the settings of a new budget. Not thread-safe. */
  public static final class Builder {
    private final long bytes;
    private final @Nullable ContainerMemory container;
    private String name;
    private long marginBytes = -1;
    private long shortageBytes;
    private @Nullable Consumer<Budget> onShortage;
    private boolean isDirectCounted = true;
    private long shortageWaitNanos = Shortage.WAIT_NANOS;

    private Builder(long bytes, @Nullable ContainerMemory container) {
      this.bytes = bytes;
      this.container = container;
      name = container == null ? "program" : "container";
    }

    /**
     * Sets the name in reports.
     *
     * @param name the name; {@code container} or {@code program} by default
     * @return this builder
     * @throws IllegalArgumentException if the name is blank
     */
    public Builder name(String name) {
      if (name.isBlank()) {
        throw new IllegalArgumentException("a budget needs a name: it stands in every report");
      }
      this.name = name;
      return this;
    }

    /**
     * Sets how much of the limit is left free, for what the budget cannot see in time: the JVM's
     * own memory, threads, and libraries.
     *
     * @param bytes the margin. By default a 16th of the container's limit, 16 MiB to 512 MiB, and
     *     nothing of a budget of bytes
     * @return this builder
     * @throws IllegalSizeException if {@code bytes} is negative
     */
    public Builder margin(long bytes) {
      marginBytes = Math.min(notNegative(bytes, "margin"), MOST_BYTES);
      return this;
    }

    /**
     * Sets a function that gives memory back, such as one that shrinks a cache. It runs each time
     * the room falls below a number of bytes, and before each refusal.
     *
     * <p>The function runs on the thread of the request. The thread holds no lock of a pool, but if
     * a shared arena made the request, it holds that arena's lock: the function must not wait for
     * another thread that uses the arena. While a thread runs the function, no other thread does: a
     * request that would be refused waits for its end, up to 5 s, and then tries again.
     *
     * @param roomBytes how much room is enough
     * @param onShort the function; it receives this budget
     * @return this builder
     * @throws IllegalSizeException if {@code roomBytes} is negative
     */
    public Builder onShortage(long roomBytes, Consumer<Budget> onShort) {
      shortageBytes = Math.min(notNegative(roomBytes, "room"), MOST_BYTES);
      onShortage = onShort;
      return this;
    }

    /**
     * Sets whether direct buffers count. They count as the JVM's buffer pool {@code direct} does,
     * if the module {@code java.management} is there.
     *
     * @param isCounted true by default
     * @return this builder
     */
    public Builder countDirectBuffers(boolean isCounted) {
      isDirectCounted = isCounted;
      return this;
    }

    /** How long a request waits while another thread is in the function for short memory. */
    Builder shortageWait(long nanos) {
      shortageWaitNanos = nanos;
      return this;
    }

    private static long notNegative(long bytes, String what) {
      if (bytes < 0) {
        throw new IllegalSizeException("a " + what + " of " + bytes + " bytes: give 0 or more");
      }
      return bytes;
    }

    /**
     * Makes the budget.
     *
     * @return the budget
     * @throws UnsupportedOperationException if the container cannot be read any more
     */
    public Budget create() {
      try {
        return new Budget(this);
      } catch (IOException e) {
        throw new UnsupportedOperationException(
            "budget " + name + " cannot read the container: " + e.getMessage(), e);
      }
    }
  }
}
