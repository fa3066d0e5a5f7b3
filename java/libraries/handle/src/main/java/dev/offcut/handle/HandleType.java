package dev.offcut.handle;

import dev.offcut.handle.NurseryToken.Extras;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Describes one kind of handle: its name, its {@link Releaser} and its policies. Make one constant
 * for each class of resources.
 *
 * <pre>{@code
 * static final HandleType TYPE =
 *     HandleType.named("sqlite3_stmt").releaser(Sqlite::finalizeStatement).childOf(Database.TYPE).create();
 * }</pre>
 *
 * <p>Types are immutable, and all threads can use them. The net does not keep a type reachable if
 * all its handles are closed, so its class loader can be unloaded.
 */
public final class HandleType {
  static {
    Reaper.initializeNet();
  }

  private static final AtomicLong IDS = new AtomicLong();

  final long id = IDS.incrementAndGet();

  final String name;
  final ReleaseLoop loop;

  /** The packages outside of which the call sites of openings begin. */
  final List<String> openedThrough;

  /** Null in a cleaner's type: each registration brings its action. */
  private final @Nullable Releaser releaser;

  final Counters counters = new Counters();
  final CloseInUse closeInUse;

  /** How long a close waits for uses; zero if it does not. For messages. */
  final Duration waitLimit;

  final CloseWithChildren closeWithChildren;

  /** The wait limit; 292 years if it is longer. */
  final long waitNanos;

  private final boolean guarded;
  private final @Nullable HandleType parentType;
  final Nurseries nurseries;
  final Registry registry;

  private HandleType(Builder builder) {
    name = builder.name;
    releaser = builder.releaser;
    loop = builder.loop;
    openedThrough = builder.openedThrough;
    guarded = builder.closeInUse != null || builder.closeWithChildren != null;
    closeInUse = Objects.requireNonNullElse(builder.closeInUse, CloseInUse.REFUSE);
    closeWithChildren =
        Objects.requireNonNullElse(builder.closeWithChildren, CloseWithChildren.REFUSE);
    waitLimit = Objects.requireNonNullElse(builder.waitLimit, Duration.ZERO);
    waitNanos = TimeUnit.NANOSECONDS.convert(waitLimit);
    parentType = builder.parentType;
    registry = new Registry(this);
    nurseries = new Nurseries(this, registry);
  }

  private static HandleType watched(Builder builder) {
    Statistics.Recorded.registerFirst();
    if (Boolean.getBoolean(ExitReport.PROPERTY)) {
      ExitReport.install();
    }
    HandleType type = new HandleType(builder);
    NurseryList.watch(type.nurseries);
    return type;
  }

  /**
   * Starts the settings of a new type.
   *
   * @param name the type's name in reports, events and errors; it need not be unique
   * @return a builder; {@link Builder#create} makes the type
   * @throws IllegalArgumentException if the name is blank
   */
  public static Builder named(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a handle type needs a name: it stands in every report");
    }
    return new Builder(name);
  }

  /** The type of a cleaner's registrations: the action of each is its attachment. */
  static HandleType forCleaner(String name, ReleaseLoop loop) {
    Builder builder = new Builder(name);
    builder.loop = loop;
    return watched(builder);
  }

  /** {@return the name of this type} */
  public String name() {
    return name;
  }

  /** Whether each handle has an attachment: its family. */
  boolean hasAttachments() {
    return parentType != null;
  }

  boolean isCleaner() {
    return releaser == null;
  }

  // Opening.

  void reserve(Handle handle, @Nullable GuardedHandle parent) {
    if (parentType != null || parent != null) {
      reserveChild(handle, parent);
      return;
    }
    StackProbe.check();
    Slot slot = nurseries.claim(handle);
    handle.start(slot);
    slot.publish(handle);
  }

  private void reserveChild(Handle handle, @Nullable GuardedHandle parent) {
    if (parent == null || parent.type() != parentType) {
      throw new IllegalStateException(
          name
              + ": opened "
              + (parent == null
                  ? "without a parent"
                  : "with a parent of type " + parent.type().name)
              + ", declared "
              + (parentType == null ? "without childOf" : "with childOf(" + parentType.name + ")")
              + "; pass the parent's type to childOf(…), and the parent to the constructor");
    }
    StackProbe.check();
    Slot slot = nurseries.claim(handle);
    Extras extras = extras(slot);
    boolean added = false;
    try {
      extras.attach(slot.index, parent.addChild(handle));
      added = true;
    } finally {
      if (!added) { // the parent takes no child
        Site site = slot.site();
        slot.vacate();
        abandoned(site);
      }
    }
    handle.start(slot);
    slot.publish(handle);
  }

  private static Extras extras(Slot slot) {
    return Objects.requireNonNull(slot.token.extras, "a nursery of a type with attachments");
  }

  /**
   * Checks whether a class may have handles of this type; called at the first opening of a thread.
   *
   * @throws IllegalStateException if it may not
   */
  void checkClass(Handle handle) {
    if (guarded && !(handle instanceof GuardedHandle)) {
      throw new IllegalStateException(
          ("%s: has a close policy, but only a GuardedHandle supports one; let %s extend"
                  + " GuardedHandle, or remove the policy")
              .formatted(name, handle.getClass().getName()));
    }
  }

  void abandoned(@Nullable Site site) {
    counters.abandoned.getAndIncrement();
    Site.noteClosed(site);
  }

  // Releasing.

  /**
   * Releases the resource of a caller that owns it: it won the link, and the cell where there is
   * one. A child's closer counts it out of its family afterwards.
   */
  void release(long code, @Nullable Object attachment) {
    try {
      if (releaser != null) {
        releaser.release(code ^ Handle.CODE);
      } else if (attachment instanceof Runnable action) {
        action.run();
      }
    } catch (Throwable t) {
      counters.failures.getAndIncrement();
      throw unchecked(t);
    }
  }

  /**
   * Returns what the program threw, as an exception that need not be declared. The caller throws
   * it.
   *
   * @throws Error the one that was thrown
   */
  RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException exception
        ? exception
        : new UndeclaredThrowableException(thrown, name + ": " + thrown);
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * The counts of one type. Openings are counted by the nurseries' cursors. No LongAdder: it
   * allocates, and some of these stand between a handle's last state and its release.
   */
  static final class Counters {
    final AtomicLong claimedByDropped = new AtomicLong();
    final AtomicLong abandoned = new AtomicLong();
    final AtomicLong promoted = new AtomicLong();
    final AtomicLong failures = new AtomicLong();
    final AtomicLong forgotten = new AtomicLong();
    final ConcurrentHashMap<Site, AtomicLong> sites = new ConcurrentHashMap<>();

    @SuppressWarnings("EmptyCatch")
    void forgotten(@Nullable Site site) {
      forgotten.getAndIncrement();
      if (site == null) {
        return;
      }
      Site.noteForgotten(site);
      try {
        AtomicLong made = new AtomicLong();
        AtomicLong known = sites.putIfAbsent(site, made);
        (known == null ? made : known).getAndIncrement();
      } catch (OutOfMemoryError e) {
        // counted, without its site
      }
    }
  }

  /** A duration in a message: {@code 0.25 s}. */
  static String seconds(Duration duration) {
    BigDecimal nanos = BigDecimal.valueOf(duration.getNano(), 9);
    BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds()).add(nanos).stripTrailingZeros();
    return seconds.toPlainString() + " s";
  }

  /** Collects the settings of a type; {@link #create} checks them. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private @Nullable Releaser releaser;
    private @Nullable CloseInUse closeInUse;
    private @Nullable Duration waitLimit;
    private @Nullable CloseWithChildren closeWithChildren;
    private @Nullable HandleType parentType;
    private List<String> openedThrough = List.of();
    private ReleaseLoop loop = ReleaseLoop.shared();

    Builder(String name) {
      this.name = name;
    }

    /**
     * Sets the function that frees one resource. It is a static method, or a lambda that captures
     * nothing. Every type needs one.
     *
     * @param releaser receives the raw value
     * @return this builder
     * @throws IllegalArgumentException if the releaser has state, which could keep a handle
     *     reachable for ever
     */
    public Builder releaser(Releaser releaser) {
      if (releaser == null) {
        throw new NullPointerException(name + ": the releaser is null; give a static method");
      }
      for (Class<?> c = releaser.getClass(); c != null; c = c.getSuperclass()) {
        for (Field field : c.getDeclaredFields()) {
          if (!Modifier.isStatic(field.getModifiers())) {
            throw new IllegalArgumentException(
                name
                    + ": the releaser captures a "
                    + field.getType().getName()
                    + "; what it captures can keep the handle reachable, and then it is never"
                    + " released. Use a static method, which gets the raw value");
          }
        }
      }
      this.releaser = releaser;
      return this;
    }

    /**
     * Sets what a close does while a {@link GuardedHandle} of this type is in use.
     *
     * @param policy the policy; {@link CloseInUse#REFUSE} by default
     * @return this builder
     */
    public Builder closeInUse(CloseInUse policy) {
      closeInUse = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Sets how long a close waits for uses under {@link CloseInUse#WAIT}. That policy needs a
     * limit, and the other policies must not have one. {@code ChronoUnit.FOREVER.getDuration()} is
     * a limit, too.
     *
     * @param limit more than zero
     * @return this builder
     * @throws IllegalArgumentException if the limit is zero or negative
     */
    public Builder waitLimit(Duration limit) {
      if (limit.isNegative() || limit.isZero()) {
        throw new IllegalArgumentException(
            name
                + ": the wait limit "
                + seconds(limit)
                + " is not above zero; give the time a close may wait");
      }
      waitLimit = limit;
      return this;
    }

    /**
     * Sets what a close does while a {@link GuardedHandle} of this type has open children.
     *
     * @param policy the policy; {@link CloseWithChildren#REFUSE} by default
     * @return this builder
     */
    public Builder closeWithChildren(CloseWithChildren policy) {
      closeWithChildren = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Makes every handle of this type a child of a handle of another type.
     *
     * @param parent the type of the parents, whose handles are {@link GuardedHandle}s
     * @return this builder
     */
    public Builder childOf(HandleType parent) {
      parentType = Objects.requireNonNull(parent, "parent");
      return this;
    }

    /**
     * Names the packages of a library through which programs open handles of this type. Recorded
     * call sites begin at the first frame outside of these packages, so they show the line of the
     * program and not a line of the library. If all frames are of these packages, the call site is
     * the outermost frame.
     *
     * @param packages names of packages, each without its subpackages
     * @return this builder
     */
    public Builder openedThrough(String... packages) {
      openedThrough = List.of(packages);
      return this;
    }

    /**
     * Creates the type.
     *
     * @return the type
     * @throws IllegalStateException if there is no releaser, or if only one of {@link
     *     CloseInUse#WAIT} and {@link #waitLimit} is set
     */
    public HandleType create() {
      if (releaser == null) {
        throw new IllegalStateException(
            name + ": has no releaser; call releaser(…) before create()");
      }
      if ((closeInUse == CloseInUse.WAIT) != (waitLimit != null)) {
        throw new IllegalStateException(
            name
                + (waitLimit == null
                    ? ": closeInUse(WAIT) has no limit; add waitLimit(…), the time a close may wait"
                    : ": waitLimit("
                        + seconds(waitLimit)
                        + ") is for closeInUse(WAIT); leave one out, or"
                        + " give both"));
      }
      return watched(this);
    }
  }
}
