package dev.offcut.memory;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
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
 * and runs the function of {@link Builder#onShortage}.
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

  private static final long LEAST_MARGIN_BYTES = 16 << 20;
  private static final long MOST_MARGIN_BYTES = 512 << 20;

  private final String name;
  private final long marginBytes;
  private final long shortageBytes;
  private final @Nullable Consumer<Budget> onShortage;
  private final boolean isOfContainer;
  private final List<Registration> registrations = new CopyOnWriteArrayList<>();
  private final List<WeakReference<MemoryPool>> pools = new CopyOnWriteArrayList<>();

  /** The thread that runs the program's function now: it runs once at a time. */
  private final AtomicReference<@Nullable Thread> calling = new AtomicReference<>();

  /** Guards all below. It is taken last but for the locks that suppliers of the program take. */
  private final Object lookLock = new Object();

  private final BudgetLook look;
  private long lookedAt;
  private long trimmedAt;
  private @Nullable IOException lastFailure;
  private @Nullable Decay turns;

  private Budget(Builder builder) throws IOException {
    name = builder.name;
    marginBytes = builder.marginBytes;
    shortageBytes = builder.shortageBytes;
    onShortage = builder.onShortage;
    ContainerMemory container = builder.container;
    isOfContainer = container != null;
    look = new BudgetLook(this, container, builder.bytes);
    LongSupplier direct = builder.isDirectCounted ? DirectMemory.bytes() : null;
    if (direct != null) {
      registrations.add(new Registration(this, "direct buffers", direct));
    }
    trimmedAt = System.nanoTime() - TRIM_NANOS;
    look.look(0);
    publish();
    String warm = describeRefusal(); // its classes must be there where the Java heap is full
    if (warm.isEmpty()) {
      throw new IllegalStateException("no text");
    }
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
  @Override
  public String name() {
    return name;
  }

  /**
   * Returns the limit.
   *
   * @return the bytes: as given, or as the container's limit was at the last look
   */
  @Override
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
   * @param bytes returns how many there are. Any thread that uses a pool may call it, and the call
   *     holds the budget's lock: it must be short, and must not use a pool of the budget
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

    /** At the last look. */
    private volatile long bytes;

    private Registration(Budget budget, String holder, LongSupplier supplier) {
      this.budget = budget;
      this.holder = holder;
      this.supplier = supplier;
    }

    /** Asks how many bytes there are; as many as before, if the program's function throws. */
    long look() {
      try {
        bytes = Math.max(0, supplier.getAsLong());
      } catch (RuntimeException e) {
        report(e);
      }
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

  /**
   * Looks at the memory now, and returns who holds it.
   *
   * @return the snapshot
   */
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

  List<WeakReference<MemoryPool>> pools() {
    return pools;
  }

  /** What is left free of a limit. */
  long marginBytes(long limit) {
    if (marginBytes >= 0) {
      return marginBytes;
    }
    return isOfContainer
        ? Math.clamp(limit / 16, Math.min(LEAST_MARGIN_BYTES, limit / 2), MOST_MARGIN_BYTES)
        : 0;
  }

  void add(MemoryPool pool) {
    pools.add(new WeakReference<>(pool));
    synchronized (lookLock) {
      if (turns == null) {
        turns = Decay.watch(this);
      }
    }
  }

  void remove(MemoryPool pool) {
    List<WeakReference<MemoryPool>> gone = new ArrayList<>();
    for (WeakReference<MemoryPool> each : pools) {
      MemoryPool other = each.get();
      if (other == null || other == pool) {
        gone.add(each);
      }
    }
    pools.removeAll(gone);
    synchronized (lookLock) {
      if (pools.isEmpty() && turns != null) {
        turns.end();
        turns = null;
      }
    }
  }

  /** A look of the decay's thread: the nanoseconds until the next one. */
  long turn() {
    synchronized (lookLock) {
      lookNow(true, 0);
      return isOfContainer && look.roomBytes < look.limitBytes / 4 ? SECOND / 10 : SECOND;
    }
  }

  /**
   * Looks, unless the last look is fresh enough. If the container cannot be read, what was allowed
   * before stays allowed.
   */
  private void lookNow(boolean atOnce, long wanted) {
    synchronized (lookLock) {
      if (!atOnce && isOfContainer && System.nanoTime() - lookedAt < FRESH_NANOS) {
        return;
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

  private void publish() {
    long room = look.roomBytes;
    long allowed = look.chargedBytes + room;
    long step = Math.max(LEAST_STEP_BYTES, room / STEPS);
    boolean looks = isOfContainer || !registrations.isEmpty();
    allow(allowed, allowed - shortageBytes, looks ? step : Long.MAX_VALUE);
  }

  @Override
  void followUpNow() {
    try {
      if (isStale()) {
        lookNow(false, 0);
      }
      if (takeRunsShort()) {
        callBack();
      }
    } catch (Throwable e) {
      report(e);
    }
  }

  @Override
  boolean makeRoom(long bytes) {
    synchronized (lookLock) {
      lookNow(!look.isExact, bytes);
    }
    if (hasRoom(bytes)) {
      return true;
    }
    giveBack(bytes);
    if (!hasRoom(bytes) && onShortage != null) {
      callBack();
      giveBack(bytes); // what it freed is in the pools still
    }
    return hasRoom(bytes);
  }

  /** Unused memory of all pools goes back to the system. */
  private void giveBack(long wanted) {
    boolean trims = startTrim();
    for (WeakReference<MemoryPool> each : pools) {
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

  /** Runs the program's function, unless a thread is in it. */
  private void callBack() {
    Consumer<Budget> function = onShortage;
    if (function != null && calling.compareAndSet(null, Thread.currentThread())) {
      try {
        function.accept(this);
      } catch (Throwable e) {
        report(e);
      } finally {
        calling.set(null);
      }
    }
  }

  private static void report(Throwable thrown) {
    try {
      Uncaught.report(thrown);
    } catch (Throwable e) {
      // Nobody can be told, and a request must come to its end.
    }
  }

  // Reports.

  @Override
  String describeRefusal() {
    BudgetSnapshot now = lastSnapshot();
    StringBuilder text = new StringBuilder("the limit of budget ").append(name).append(", ");
    text.append(now.limitBytes()).append(" bytes (").append(now.limit()).append("), ");
    text.append(
        now.usedBytes() > now.limitBytes() ? "is exceeded already: " : "would be exceeded: ");
    text.append(now.usedBytes()).append(" bytes are in use");
    if (isOfContainer) {
      text.append(", ").append(now.heapGrowthBytes()).append(" are kept for the Java heap, ");
      text.append(now.marginBytes()).append(" are the margin");
    }
    text.append(", and ").append(Math.max(0, now.roomBytes())).append(" are left. ");
    if (!now.holders().isEmpty()) {
      BudgetSnapshot.Holder largest = now.holders().getFirst();
      text.append("The largest holder is ").append(largest.name()).append(" with ");
      text.append(largest.bytes()).append(" bytes. ");
    }
    text.append("Free memory of a holder, or raise the limit, and repeat the request");
    return text.append(System.lineSeparator()).append(now).toString();
  }

  /** By the last look, and with what pools hold now. */
  private BudgetSnapshot lastSnapshot() {
    List<BudgetSnapshot.Holder> holders = new ArrayList<>();
    for (WeakReference<MemoryPool> each : pools) {
      MemoryPool pool = each.get();
      if (pool != null) {
        addOwners(pool.snapshot(), holders);
      }
    }
    for (Registration each : registrations) {
      add(holders, each.holder, each.bytes);
    }
    holders.sort(LargestFirst.ORDER);
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

  private static void addOwners(PoolSnapshot pool, List<BudgetSnapshot.Holder> holders) {
    long free = pool.committedBytes();
    for (PoolSnapshot.OwnerShare share : pool.owners()) {
      String owner = share.owner().equals(pool.pool()) ? "" : "owner " + share.owner() + " of ";
      add(holders, owner + "pool " + pool.pool(), share.committedBytes() + share.externalBytes());
      free -= share.committedBytes();
    }
    add(holders, "free memory of pool " + pool.pool(), free);
  }

  private static void add(List<BudgetSnapshot.Holder> holders, String name, long bytes) {
    if (bytes > 0) {
      holders.add(new BudgetSnapshot.Holder(name, bytes));
    }
  }

  private static final class LargestFirst implements Comparator<BudgetSnapshot.Holder> {
    static final LargestFirst ORDER = new LargestFirst();

    @Override
    public int compare(BudgetSnapshot.Holder one, BudgetSnapshot.Holder other) {
      return Long.compare(other.bytes(), one.bytes());
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
      marginBytes = notNegative(bytes, "margin");
      return this;
    }

    /**
     * Sets a function that gives memory back, such as one that shrinks a cache. It runs each time
     * the room falls below a number of bytes, and before each refusal.
     *
     * <p>The function runs on the thread of the request. The thread holds no lock of a pool, but if
     * a shared arena made the request, it holds that arena's lock: the function must not wait for
     * another thread that uses the arena. While a thread runs the function, no other thread does.
     *
     * @param roomBytes how much room is enough
     * @param onShort the function; it receives this budget
     * @return this builder
     * @throws IllegalSizeException if {@code roomBytes} is negative
     */
    public Builder onShortage(long roomBytes, Consumer<Budget> onShort) {
      shortageBytes = notNegative(roomBytes, "room");
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
