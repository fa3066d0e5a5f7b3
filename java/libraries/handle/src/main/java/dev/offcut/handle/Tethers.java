package dev.offcut.handle;

import java.lang.ref.PhantomReference;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tethers of one type, which are used again and again.
 *
 * <pre>
 *   thread ──▶ stack of numbers        racks of 256 numbers: words, held
 *              3 7 …              ──▶                                       │
 *                                              net: alarm ──phantom──▶ tether ◀── its owner, while in use
 *
 *   parked ──open: the number leaves a stack, word = value──▶ in use ──end: word = 0, the number goes to a stack──▶ parked
 *      │ unreachable: not used for a while                     │ unreachable: forgotten
 *      ▼                                                       ▼
 *   a number without a tether; the next opening makes a new one for it
 * </pre>
 *
 * <p><b>Who has the number</b> may write its word, and nobody else: the one thread that took it
 * from a stack, and then the one that ends the tether. A number goes from thread to thread under a
 * monitor, or with a tether that was published safely, or from a thread that was seen dead. So the
 * accesses of all who had it are ordered, though they are plain. The net takes the number of a
 * forgotten tether, which nobody has any more: the collector orders the last store of its owner
 * before the net's read. While the word is 0 the net has nothing to release.
 *
 * <p><b>Nobody holds back the reaper.</b> An opening and an end store no reference: into an old
 * object, that costs a fence with most collectors. So stacks have numbers, and the rack holds its
 * tethers, parked or in use. The reaper lets go of what has been in use for a second, by a racy
 * store of null, and only then can the collector find it forgotten; its end has the rack hold it
 * again. That is how a handle is young first and promoted later; but a tether leads to no object of
 * the program, so nothing stays reachable meanwhile. The reaper also lets go of what was not used
 * for a while, and the collector takes it. It may let go at any time, though the opener or the end
 * is about to use the tether: they hold it themselves by then.
 *
 * <p><b>Old alarms.</b> A number whose tether is not held gets a new tether and a new alarm with
 * its next opening. Whoever opens has the number alone, so nobody uses the old tether any more. Its
 * alarm may come at any time, before that or later. Under the monitor it finds another alarm in its
 * place, and does nothing; or it finds itself, and then the opening is yet to come: its value is
 * stored after the new alarm, and the word is 0. So an alarm never takes a value that was stored
 * for another tether.
 *
 * <p>What an opening and an end touch is packed, by number: a program with many tethers in use
 * would otherwise wait for memory.
 *
 * <p>All that can throw comes before the first change, and the changes are stores without a call
 * between them: the stack may end at any call, and memory at any allocation. A number that is lost
 * all the same costs a hundred bytes, and no resource.
 */
final class Tethers {
  /** Held during a look at all, so that none leaves the list meanwhile. */
  private static final Object LOOK = new Object();

  /** Guards the list of those that have a tether. */
  private static final Object ALL_LOCK = new Object();

  /** The list: the net must find their alarms though nobody holds the type. */
  private static @Nullable Tethers first;

  private static final int STRIPES =
      Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 2 - 1) * 2;
  private static final int MOST_STACKS = 4096;

  /** Numbers of a rack, a power of two. */
  private static final int RACK = 256;

  private static final int SHIFT = Integer.numberOfTrailingZeros(RACK);

  /** Tethers that are made at a time, and numbers that go to or from a stack at a time. */
  private static final int BATCH = 32;

  private static final int PARKED = 2 * BATCH;
  private static final long START = System.nanoTime();

  final TypeState type;
  private final Nurseries nurseries;

  /**
   * By thread id, as the directory of {@link Nurseries}. Plain: a thread uses a stack only if that
   * names it, and then the thread made it itself. Whatever else an outdated array shows sends it to
   * the slow path, which looks again under the monitor.
   */
  private @Nullable Stack[] stacks = new Stack[16];

  /** Of virtual threads, and of threads that share an entry; each under its monitor. */
  private final Stack[] shared = new Stack[STRIPES];

  /**
   * Written under the monitor of this object, replaced by a longer one there. Who has a number got
   * it under the monitor after its rack was there, or from a stack of its own.
   */
  private volatile @Nullable Rack[] racks = new Rack[1];

  // Guarded by the monitor of this object.
  private int[] free = new int[BATCH];
  private int freeCount;

  /** Numbers so far. */
  private int count;

  private int live;
  private @Nullable Tethers next;
  private boolean listed;

  /** Openings by stacks that are gone. */
  private long openedBefore;

  /**
   * Seconds since {@link #START} at the reaper's last look. Plain: an opening that reads an older
   * one is taken for older than it is. Then the reaper lets go of it earlier, as it may, and ages
   * are upper bounds.
   */
  private int seconds;

  Tethers(TypeState type, Nurseries nurseries) {
    this.type = type;
    this.nurseries = nurseries;
    for (int i = 0; i < STRIPES; i++) {
      shared[i] = new Stack(null);
    }
    seconds = secondsNow();
  }

  private static int secondsNow() {
    return (int) ((System.nanoTime() - START) / 1_000_000_000L);
  }

  /**
   * What one thread has parked. It refers to the thread weakly: it may stay when the thread has
   * ended and nobody opens any more.
   */
  static final class Stack extends WeakReference<@Nullable Thread> {
    /** Whether several threads use it, under its monitor. */
    final boolean isShared;

    // Plain: the thread's own, or under the monitor. Others read `top` and `opened` as counts, and
    // use the numbers of an ended thread once they have seen it dead, which orders all it did.
    final int[] numbers = new int[PARKED];
    int top;

    /** Openings from it. */
    long opened;

    Stack(@Nullable Thread owner) {
      super(owner);
      isShared = owner == null;
    }

    /** Also if the collector took the thread: one that runs is reachable. */
    boolean isDead() {
      Thread owner = get();
      return !isShared && (owner == null || !owner.isAlive());
    }
  }

  /** The tethers of some numbers. */
  static final class Rack {
    final Tethers tethers;
    final int from;

    /**
     * Two words of each number, side by side: the value XOR {@link HandleState#CODE}, 0 while
     * parked; and {@link #seconds} at the last opening or end. Plain: see {@link Tethers}. The
     * reaper and snapshots read them without an order. A snapshot may be wrong by what happens at
     * the same time; an old word lets the reaper let go too early or too late, and it may at any
     * time.
     */
    final long[] words = new long[2 * RACK];

    /**
     * The tethers, as far as the collector must not take them. Plain: who opens or ends one stores
     * it here, if it is not here. The reaper stores null, at any time. Who has the number reads the
     * number's latest tether, which whoever had it before stored, or the reaper's null: an older
     * tether was overwritten before the number came here.
     */
    final @Nullable Tether[] held = new Tether[RACK];

    /** Who tells the net. Guarded by the monitor of the tethers. */
    final @Nullable Alarm[] alarms = new Alarm[RACK];

    /**
     * Where they were opened; null until that is recorded once. Elements are plain: whoever has the
     * number writes its element, and the array is stored again after a site, for snapshots.
     */
    volatile @Nullable Site @Nullable [] sites;

    Rack(Tethers tethers, int from) {
      this.tethers = tethers;
      this.from = from;
    }

    boolean isOpen(int index) {
      return words[2 * index] != 0;
    }

    @Nullable Site site(int index) {
      @Nullable Site[] all = sites;
      return all == null ? null : all[index];
    }
  }

  /** Enqueued once a tether is unreachable, parked or forgotten. */
  private static final class Alarm extends PhantomReference<Object> implements Forgotten {
    private final Rack rack;
    private final int index;

    Alarm(Tether tether, Rack rack, int index) {
      super(tether, rack.tethers.type.queue.references());
      this.rack = rack;
      this.index = index;
    }

    @Override
    public Step releaseOne(Tally tally) {
      Tethers tethers = rack.tethers;
      Site site = rack.site(index);
      Site.beginRelease(site);
      try {
        long code = tethers.take(this, rack, index);
        if (code != 0) {
          Forgotten.release(tethers.type, code, null, site, tally);
        }
      } finally {
        Site.endRelease(site);
      }
      return Step.DONE;
    }
  }

  /**
   * What an alarm is about: the value of a forgotten tether, whose number is free then; 0 for one
   * that was parked, or whose number has another tether by now.
   */
  private synchronized long take(Alarm alarm, Rack rack, int index) {
    if (rack.alarms[index] != alarm) {
      return 0;
    }
    rack.alarms[index] = null;
    live--;
    // Plain. The collector orders the last store for this tether before. Whoever makes the number's
    // next tether does so under this monitor after this, and stores its value after that.
    long code = rack.words[2 * index];
    if (code != 0) {
      rack.words[2 * index] = 0; // the number is the net's: nobody has the tether
      if (rack.sites != null) {
        rack.sites[index] = null;
      }
      free[freeCount++] = rack.from + index;
    }
    return code;
  }

  /** The alarm of a number; null once it has come. */
  synchronized @Nullable Forgotten alarm(Rack rack, int index) {
    return rack.alarms[index];
  }

  // Opening.

  /** Opens a tether. If this throws, nothing has changed. */
  Tether open(long raw) {
    long code = raw ^ HandleState.CODE;
    Stack own = own(Thread.currentThread());
    if (own != null && own.top > 0 && code != 0 && !Detection.isSiteRecorded()) {
      int number = own.numbers[own.top - 1];
      Rack rack = racks[number >> SHIFT];
      int index = number & RACK - 1;
      Tether tether = rack == null ? null : rack.held[index]; // plain: see there
      if (rack != null && tether != null) {
        own.top--;
        own.opened++;
        rack.words[2 * index + 1] = seconds;
        rack.words[2 * index] = code; // plain: this thread has the number
        if (tether.rack == null) { // a volatile read after the store: see there
          throw noRack();
        }
        return tether;
      }
    }
    return openSlowly(code);
  }

  private static AssertionError noRack() {
    return new AssertionError("a tether always has its rack");
  }

  private @Nullable Stack own(Thread thread) {
    @Nullable Stack[] all = stacks;
    Stack found = all[index(thread, all)];
    return found != null && found.refersTo(thread) ? found : null;
  }

  private Tether openSlowly(long code) {
    if (code == 0) {
      throw reserved();
    }
    Site site = siteOfOpening();
    boolean opened = false;
    try {
      Tether tether = openAt(site, code);
      opened = true;
      return tether;
    } finally {
      if (!opened) {
        Site.noteClosed(site);
      }
    }
  }

  private IllegalArgumentException reserved() {
    return new IllegalArgumentException(
        type.name
            + ": the value 0x"
            + Long.toHexString(HandleState.CODE)
            + " is reserved and cannot be tied; the caller still owns the resource");
  }

  private @Nullable Site siteOfOpening() {
    return switch (Detection.current()) {
      case FULL -> Site.here(type.openedThrough);
      case SAMPLE ->
          ThreadLocalRandom.current().nextInt(Settings.SAMPLE_INTERVAL) == 0
              ? Site.here(type.openedThrough)
              : null;
      default -> null;
    };
  }

  private Tether openAt(@Nullable Site site, long code) {
    Thread thread = Thread.currentThread();
    Stack own = ownOrNew(thread);
    boolean counted = false;
    while (true) {
      Tether opened;
      if (own != null) {
        opened = openFrom(own, code, site, counted);
      } else {
        Stack stripe = stripe(thread);
        synchronized (stripe) {
          opened = openFrom(stripe, code, site, counted);
        }
      }
      if (opened != null) {
        return opened;
      }
      nurseries.countPlaces(counted ? BATCH : 1); // may wait, and so under no monitor
      if (counted) {
        grow();
      }
      counted = true;
    }
  }

  /**
   * Opens the tether that was parked last; null if no number is free, or if its tether is to be
   * made, but not {@code counted} before. The caller owns the stack, or has its monitor.
   */
  @Nullable Tether openFrom(Stack stack, long code, @Nullable Site site, boolean counted) {
    if (stack.top == 0 && !refill(stack)) {
      return null;
    }
    int number = stack.numbers[stack.top - 1];
    Rack rack = rackOf(number);
    int index = number & RACK - 1;
    Tether tether = rack.held[index];
    if (tether == null) {
      if (!counted) {
        return null;
      }
      tether = again(rack, index);
    }
    if (site != null || rack.sites != null) {
      noteSite(rack, index, site);
    }
    stack.top--;
    stack.opened++;
    rack.held[index] = tether;
    rack.words[2 * index + 1] = seconds;
    rack.words[2 * index] = code; // plain: this thread has the number
    if (tether.rack == null) { // a volatile read after the store: see there
      throw noRack();
    }
    return tether;
  }

  private Rack rackOf(int number) {
    Rack rack = racks[number >> SHIFT];
    if (rack == null) {
      throw new AssertionError("a number always has its rack");
    }
    return rack;
  }

  private synchronized void noteSite(Rack rack, int index, @Nullable Site site) {
    @Nullable Site[] all = rack.sites;
    if (all == null) {
      all = new Site[RACK];
    }
    all[index] = site;
    rack.sites = all; // volatile: publishes the element
  }

  /** A new tether for a number whose tether is not held. */
  private Tether again(Rack rack, int index) {
    Tether tether = new Tether(rack, index);
    Alarm alarm = new Alarm(tether, rack, index);
    synchronized (this) {
      listLocked();
      live += rack.alarms[index] == null ? 1 : 0;
      rack.alarms[index] = alarm;
    }
    type.queue.ensureWatched();
    return tether;
  }

  /**
   * Gives an empty stack some numbers that nobody uses; false if there are none. It looks at each
   * before, since that was last used by other threads: its looks do not wait for each other, so the
   * processor waits once for the memory of all. What two threads ended at the same time, as they
   * must not, may be here and in use: it stays with its owner.
   */
  private synchronized boolean refill(Stack stack) {
    for (int i = 0; i < BATCH && freeCount > 0; i++) {
      int number = free[freeCount - 1];
      Rack rack = rackOf(number);
      int index = number & RACK - 1;
      Tether tether = rack.held[index];
      boolean isParked = !rack.isOpen(index) && (tether == null || tether.rack == rack);
      // Stores alone from here on.
      freeCount--;
      if (isParked) {
        stack.numbers[stack.top++] = number;
      }
    }
    return stack.top > 0;
  }

  /** Adds a batch. The list of free numbers has room for all: an end allocates nothing. */
  void grow() {
    synchronized (this) {
      int from = count;
      int at = from >> SHIFT;
      boolean full = at == racks.length;
      @Nullable Rack[] table = full ? Arrays.copyOf(racks, at * 2) : racks;
      int[] numbers = free.length < from + BATCH ? Arrays.copyOf(free, from * 2) : free;
      Rack known = table[at];
      Rack rack = known == null ? new Rack(this, at * RACK) : known;
      Alarm[] made = new Alarm[BATCH];
      Tether[] tethers = new Tether[BATCH];
      for (int i = 0; i < BATCH; i++) {
        int index = from + i & RACK - 1;
        tethers[i] = new Tether(rack, index);
        made[i] = new Alarm(tethers[i], rack, index);
      }
      listLocked();
      // Stores alone from here on.
      for (int i = BATCH - 1; i >= 0; i--) {
        int index = from + i & RACK - 1;
        rack.held[index] = tethers[i];
        rack.alarms[index] = made[i];
        numbers[freeCount++] = from + i;
      }
      live += BATCH;
      table[at] = rack;
      count = from + BATCH;
      free = numbers;
      racks = table; // volatile: publishes the element
    }
    type.queue.ensureWatched();
  }

  private void listLocked() {
    if (!listed) {
      synchronized (ALL_LOCK) {
        next = first;
        first = this;
        listed = true;
      }
    }
  }

  /** The stack of a thread; null for a virtual one, and for one whose entry is another's. */
  private @Nullable Stack ownOrNew(Thread thread) {
    @Nullable Stack[] all = stacks;
    Stack found = all[index(thread, all)];
    if (found != null && found.refersTo(thread)) {
      return found;
    }
    boolean crowded = all.length >= MOST_STACKS && found != null && !found.isDead();
    return crowded || Nurseries.isVirtual(thread) ? null : install(new Stack(thread), thread);
  }

  /** Null if the thread's entry is that of another, who lives. */
  private synchronized @Nullable Stack install(Stack made, Thread thread) {
    while (true) {
      @Nullable Stack[] all = stacks;
      int at = index(thread, all);
      Stack other = all[at];
      if (other != null && other.refersTo(thread)) {
        return other; // the plain read before saw an older array
      }
      if (other == null || other.isDead()) {
        if (other != null) {
          takeBackLocked(other);
        }
        all[at] = made;
        return made;
      }
      if (all.length >= MOST_STACKS) {
        return null;
      }
      @Nullable Stack[] larger = new Stack[all.length * 2];
      for (Stack stack : all) {
        Thread owner = stack == null ? null : stack.get();
        if (stack != null && owner != null) {
          larger[index(owner, larger)] = stack;
        } else if (stack != null) {
          takeBackLocked(stack);
        }
      }
      stacks = larger;
    }
  }

  @SuppressWarnings("deprecation") // threadId() came with 19; as a hash either will do
  private static int index(Thread thread, @Nullable Stack[] all) {
    return (int) thread.getId() & (all.length - 1);
  }

  /** The numbers that an ended thread had parked: it is seen dead, so its stores are seen, too. */
  private void takeBackLocked(Stack stack) {
    openedBefore += stack.opened;
    stack.opened = 0;
    while (stack.top > 0) {
      free[freeCount++] = stack.numbers[--stack.top];
    }
  }

  @SuppressWarnings("deprecation") // see index
  private Stack stripe(Thread thread) {
    return shared[(int) ((thread.getId() * HandleState.CODE) >>> 40) & (STRIPES - 1)];
  }

  // The end.

  /** Ends a tether that the caller has. If this throws, nothing has changed. */
  void end(Tether tether, Rack rack, int index) {
    Stack own = own(Thread.currentThread());
    if (own == null || own.top == PARKED || !rack.isOpen(index) || rack.sites != null) {
      endSlowly(tether, rack, index);
      return;
    }
    // A net that has ended starts again with the next new tether: none is kept then.
    boolean hold = rack.held[index] == null && NurseryList.isReaped;
    rack.words[2 * index + 1] = seconds;
    rack.words[2 * index] = 0; // plain: the caller has the number, until it is in the stack
    if (hold) {
      rack.held[index] = tether; // or not, if the reaper lets go here: both are right
    }
    own.numbers[own.top++] = rack.from + index;
    if (tether.rack == null) { // a volatile read after the stores: see there
      throw noRack();
    }
  }

  private void endSlowly(Tether tether, Rack rack, int index) {
    if (!rack.isOpen(index)) {
      throw new IllegalStateException(type.name + ": the tether has ended; end it once");
    }
    Thread thread = Thread.currentThread();
    Stack own;
    try {
      own = ownOrNew(thread);
    } catch (OutOfMemoryError e) {
      own = null; // the shared ones are there
    }
    if (own != null) {
      endInto(own, tether, rack, index);
      return;
    }
    Stack stripe = stripe(thread);
    synchronized (stripe) {
      endInto(stripe, tether, rack, index);
    }
  }

  /** The caller owns the stack, or has its monitor. */
  void endInto(Stack stack, Tether tether, Rack rack, int index) {
    if (stack.top == PARKED) {
      giveHalf(stack);
    }
    boolean hold = NurseryList.isReaped; // see end
    Site.noteClosed(rack.site(index));
    @Nullable Site[] sites = rack.sites;
    if (sites != null) {
      sites[index] = null;
    }
    rack.words[2 * index + 1] = seconds;
    rack.words[2 * index] = 0; // as in end
    if (hold) {
      rack.held[index] = tether;
    }
    stack.numbers[stack.top++] = rack.from + index;
    if (tether.rack == null) {
      throw noRack();
    }
  }

  private synchronized void giveHalf(Stack stack) {
    // Stores alone. The oldest go: the others are in the processor's cache.
    for (int i = 0; i < BATCH; i++) {
      free[freeCount++] = stack.numbers[i];
    }
    for (int i = BATCH; i < PARKED; i++) {
      stack.numbers[i - BATCH] = stack.numbers[i];
    }
    stack.top = PARKED - BATCH;
  }

  void move(Tether tether, Rack rack, int index, long raw) {
    long code = raw ^ HandleState.CODE;
    if (code == 0) {
      throw reserved();
    }
    if (!rack.isOpen(index)) {
      throw new IllegalStateException(type.name + ": the tether has ended and ties nothing");
    }
    rack.words[2 * index] = code; // plain: the caller has the number
    if (tether.rack == null) { // a volatile read after the store: see there
      throw noRack();
    }
  }

  // The reaper's looks, and what snapshots count.

  /** Whether there is a tether that the collector has not taken. */
  static boolean isAny() {
    return firstOfAll() != null;
  }

  /**
   * The reaper's look at all. {@code force} lets go of all that are in use. It allocates nothing: a
   * full heap is when forgotten ones are to be found.
   */
  static void lookAtAll(boolean force) {
    synchronized (LOOK) {
      Tethers following;
      for (Tethers one = firstOfAll(); one != null; one = following) {
        following = one.following();
        one.look(force);
      }
    }
  }

  /** Has each opening from now on make a new tether, and start the net. */
  static void letGoOfAll() {
    synchronized (LOOK) {
      for (Tethers one = firstOfAll(); one != null; one = one.following()) {
        for (Rack rack : one.racks) {
          if (rack != null) {
            Arrays.fill(rack.held, null);
          }
        }
      }
    }
  }

  private static @Nullable Tethers firstOfAll() {
    synchronized (ALL_LOCK) {
      return first;
    }
  }

  private @Nullable Tethers following() {
    synchronized (ALL_LOCK) {
      return next;
    }
  }

  void look(boolean force) {
    int now = secondsNow();
    seconds = now;
    for (Rack rack : racks) {
      for (int i = 0; rack != null && i < RACK; i++) {
        long age = now - rack.words[2 * i + 1];
        boolean old = rack.isOpen(i) ? force || age >= 1 : age > Settings.PARKED_SECONDS;
        if (old && rack.held[i] != null) {
          rack.held[i] = null; // racy: the opener or the end that is about to use it holds it
        }
      }
    }
    synchronized (this) {
      for (int i = 0; i < stacks.length; i++) {
        Stack stack = stacks[i];
        if (stack != null && stack.isDead()) {
          takeBackLocked(stack);
          stacks[i] = null;
        }
      }
      if (live == 0 && listed) {
        unlistLocked();
      }
    }
  }

  private void unlistLocked() {
    synchronized (ALL_LOCK) {
      if (first == this) {
        first = next;
      } else {
        Tethers before = first;
        while (before != null && before.next != this) {
          before = before.next;
        }
        if (before != null) {
          before.next = next;
        }
      }
      next = null;
      listed = false;
    }
  }

  /** Tethers that were in use at the same time, rounded up; for tests. */
  synchronized int numbers() {
    return count;
  }

  /** What a snapshot counts. */
  static final class Count {
    long opened;
    int open;
    long since = Long.MAX_VALUE;
  }

  synchronized Count count() {
    Count sum = new Count();
    sum.opened = openedBefore;
    for (Stack stack : stacks) {
      sum.opened += stack == null ? 0 : stack.opened;
    }
    for (Stack stack : shared) {
      sum.opened += stack.opened;
    }
    for (Rack rack : racks) {
      for (int i = 0; rack != null && i < RACK; i++) {
        if (rack.isOpen(i)) {
          sum.open++;
          sum.since = Math.min(sum.since, START + rack.words[2 * i + 1] * 1_000_000_000L);
        }
      }
    }
    return sum;
  }

  /** Shows the recorded sites of the open tethers. */
  void visitOpenSites(Consumer<Site> visitor) {
    for (Rack rack : racks) {
      for (int i = 0; rack != null && i < RACK; i++) {
        Site site = rack.site(i);
        if (site != null && rack.isOpen(i)) {
          visitor.accept(site);
        }
      }
    }
  }

  /**
   * Throws when a number is nobody's, or of two; for tests, at rest.
   *
   * @param others stacks of no thread
   */
  synchronized void verify(Stack... others) {
    boolean[] parked = new boolean[count];
    for (int i = 0; i < freeCount; i++) {
      noteParked(parked, free[i]);
    }
    for (Stack stack : stacks) {
      noteParked(parked, stack);
    }
    for (Stack stack : shared) {
      noteParked(parked, stack);
    }
    for (Stack stack : others) {
      noteParked(parked, stack);
    }
    int found = 0;
    for (int number = 0; number < parked.length; number++) {
      Rack rack = rackOf(number);
      int index = number & RACK - 1;
      found += rack.alarms[index] == null ? 0 : 1;
      if (parked[number] == rack.isOpen(index)) {
        throw new AssertionError(
            type.name
                + ": tether "
                + number
                + (parked[number] ? " is parked and open" : " is lost"));
      }
      if (rack.isOpen(index) && rack.alarms[index] == null) {
        throw new AssertionError(type.name + ": tether " + number + " is open without an alarm");
      }
    }
    if (found != live) {
      throw new AssertionError(type.name + ": live " + live + " but " + found + " alarms");
    }
  }

  private void noteParked(boolean[] parked, @Nullable Stack stack) {
    for (int i = 0; stack != null && i < stack.top; i++) {
      noteParked(parked, stack.numbers[i]);
    }
  }

  private void noteParked(boolean[] parked, int number) {
    if (parked[number]) {
      throw new AssertionError(type.name + ": tether " + number + " is parked twice");
    }
    parked[number] = true;
  }

  /** Drops what the warm-up has parked: nobody opens a tether of its type again. */
  synchronized void dropParked() {
    for (Rack rack : racks) {
      if (rack != null) {
        Arrays.fill(rack.alarms, null);
      }
    }
    live = 0;
    unlistLocked();
  }

  /** Resolves what this class catches: the first time needs memory, see {@code Warmup}. */
  @SuppressWarnings("EmptyCatch")
  static void warm() {
    try {
      throw new OutOfMemoryError();
    } catch (OutOfMemoryError e) {
      // seen once
    }
  }
}
