package dev.offcut.handle;

import dev.offcut.handle.NurseryToken.Extras;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
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
public final class HandleType extends TypeState {
  static {
    Reaper.initializeNet();
  }

  private final CloseInUse closeInUse;
  private final Duration waitLimit;
  private final CloseWithChildren closeWithChildren;

  /** The wait limit; 292 years if it is longer. */
  private final long waitNanos;

  private final boolean guarded;
  private final @Nullable HandleType parentType;
  private final ReleaseLoop loop;

  private final Nurseries nurseries;
  private final Registry registry = new Registry(this);

  private HandleType(Builder builder) {
    super(builder.name, builder.releaser, builder.loop, builder.openedThrough);
    guarded = builder.closeInUse != null || builder.closeWithChildren != null;
    closeInUse = Objects.requireNonNullElse(builder.closeInUse, CloseInUse.REFUSE);
    closeWithChildren =
        Objects.requireNonNullElse(builder.closeWithChildren, CloseWithChildren.REFUSE);
    waitLimit = Objects.requireNonNullElse(builder.waitLimit, Duration.ZERO);
    waitNanos = TimeUnit.NANOSECONDS.convert(waitLimit);
    parentType = builder.parentType;
    loop = builder.loop;
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

  /**
   * Returns the name of this type.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  CloseInUse closeInUse() {
    return closeInUse;
  }

  /** How long a close waits for uses; zero if it does not. For messages. */
  Duration waitLimit() {
    return waitLimit;
  }

  /** The same in nanoseconds; a limit of more than 292 years is one of 292 years. */
  long waitNanos() {
    return waitNanos;
  }

  CloseWithChildren closeWithChildren() {
    return closeWithChildren;
  }

  ReleaseLoop loop() {
    return loop;
  }

  Registry registry() {
    return registry;
  }

  Nurseries nurseries() {
    return nurseries;
  }

  @Override
  boolean hasAttachments() {
    return parentType != null;
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
        slot.vacate();
        abandoned();
      }
    }
    handle.start(slot);
    slot.publish(handle);
  }

  private static Extras extras(Slot slot) {
    return Objects.requireNonNull(slot.token.extras, "a nursery of a type with attachments");
  }

  @Override
  void checkClass(@Nullable HandleState handle) {
    if (guarded && handle != null && !(handle instanceof GuardedHandle)) {
      throw new IllegalStateException(
          name
              + ": has a close policy, but only a GuardedHandle supports one; let "
              + handle.getClass().getName()
              + " extend GuardedHandle, or remove the policy");
    }
  }

  /** A duration in a message: {@code 0.25 s}. */
  static String seconds(Duration duration) {
    BigDecimal nanos = BigDecimal.valueOf(duration.getNano(), 9);
    BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds()).add(nanos).stripTrailingZeros();
    return seconds.toPlainString() + " s";
  }

  /** Whether the net has nothing of this type left to watch. */
  boolean isIdle() {
    return !NurseryList.isAny(this) && Registration.waiting(this) == 0 && registry.isEmpty();
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
