package dev.offcut.handle;

import dev.offcut.handle.NurseryToken.Extras;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a handle is a handle of: a name, a {@link Releaser} and policies. One constant per resource
 * class.
 *
 * <pre>{@code
 * static final HandleType TYPE =
 *     HandleType.named("sqlite3_stmt").releaser(Sqlite::finalizeStatement).childOf(Database.TYPE).create();
 * }</pre>
 *
 * Types are immutable and safe for all threads. A type whose handles are all closed is not kept
 * reachable by the net, so its class loader can go.
 */
public final class HandleType extends TypeState {
  private final CloseInUse closeInUse;
  private final CloseWithChildren closeWithChildren;
  private final boolean guarded;
  private final @Nullable HandleType parentType;
  private final ReleaseLoop loop;

  private final Nurseries nurseries;
  private final Registry registry = new Registry(this);

  private HandleType(Builder builder) {
    super(builder.name, builder.releaser, builder.groupSize, builder.loop);
    guarded = builder.closeInUse != null || builder.closeWithChildren != null;
    closeInUse = Objects.requireNonNullElse(builder.closeInUse, CloseInUse.THROW);
    closeWithChildren =
        Objects.requireNonNullElse(builder.closeWithChildren, CloseWithChildren.THROW);
    parentType = builder.parentType;
    loop = builder.loop;
    nurseries = new Nurseries(this, registry);
  }

  private static HandleType watched(Builder builder) {
    Warmup.ensure();
    HandleType type = new HandleType(builder);
    NurseryList.watch(type.nurseries);
    return type;
  }

  /** A type of the warm-up, which no snapshot shows; without a releaser it is a cleaner's. */
  static HandleType hidden(Builder builder) {
    return new HandleType(builder);
  }

  /** Begins a type. The name stands in reports, events and errors; it need not be unique. */
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

  /** The name given at creation. */
  public String name() {
    return name;
  }

  CloseInUse closeInUse() {
    return closeInUse;
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
    Slot slot = nurseries.claim(handle);
    handle.start(slot);
    slot.publish(handle);
  }

  private void reserveChild(Handle handle, @Nullable GuardedHandle parent) {
    if (parent == null || parent.type() != parentType) {
      throw new IllegalStateException(
          name
              + ": opened with the parent "
              + (parent == null ? "none" : parent.type().name)
              + ", declared with "
              + (parentType == null ? "none" : parentType.name)
              + "; give childOf(…) the parent's type, and the constructor the parent");
    }
    Slot slot = nurseries.claim(handle);
    Extras extras = extras(slot);
    Object attachment = null;
    boolean published = false;
    try {
      attachment = parent.addChild(handle);
      extras.attach(slot.index, attachment);
      handle.start(slot);
      slot.publish(handle);
      published = true;
    } finally {
      if (!published && attachment != null) {
        if (extras.attachments != null) {
          extras.attachments[slot.index] = null;
        }
        synchronized (Unfinished.LOCK) { // by stores alone: no stack is left for a call
          if (Unfinished.count < Unfinished.MAX) {
            Unfinished.ENTRIES[Unfinished.count++] = attachment;
          }
        }
      } else if (!published) {
        slot.vacate(); // the parent takes no child
        counters().abandoned.getAndIncrement();
      }
    }
  }

  private static Extras extras(Slot slot) {
    return Objects.requireNonNull(slot.token.extras, "a nursery of a type with attachments");
  }

  /** A slot for a handle that moves out of its group. */
  Slot claimForMove(Handle handle) {
    Slot slot = nurseries.claim(handle);
    counters().moved.getAndIncrement();
    if (slot.token.extras != null) {
      slot.token.extras.clearSite(slot.index); // the site of this use is not the one that opened it
    }
    return slot;
  }

  @Override
  void checkClass(@Nullable HandleState handle) {
    if (guarded && handle != null && !(handle instanceof GuardedHandle)) {
      throw new IllegalStateException(
          name
              + ": has a close policy, which only a GuardedHandle keeps; let "
              + handle.getClass().getName()
              + " extend GuardedHandle, or take the policy out");
    }
  }

  /** Whether the net has nothing of this type left to watch. */
  boolean isIdle() {
    return !NurseryList.isAny(this)
        && !Unfinished.isAny()
        && Registration.waiting(this) == 0
        && registry.isEmpty();
  }

  /** Collects what a type needs; {@link #create} checks it. Not for several threads. */
  public static final class Builder {
    private final String name;
    private @Nullable Releaser releaser;
    private int groupSize = 1;
    private @Nullable CloseInUse closeInUse;
    private @Nullable CloseWithChildren closeWithChildren;
    private @Nullable HandleType parentType;
    private ReleaseLoop loop = ReleaseLoop.shared();

    Builder(String name) {
      this.name = name;
    }

    /**
     * What frees one resource: a static method, or a lambda that captures nothing. Required.
     *
     * @throws IllegalArgumentException if it has state, which could keep a handle reachable for
     *     ever
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
     * Puts up to {@code size} promoted handles behind one reference: less heap and shorter GC for a
     * large long-lived population. The price: a forgotten handle waits until its neighbours are
     * closed, used again, or gone. 1, the default, is exact. Not for children.
     *
     * @param size 1 to 64
     */
    public Builder groupSize(int size) {
      if (size < 1 || size > 64) {
        throw new IllegalArgumentException(
            name + ": the group size " + size + " is not in 1..64; 1 is exact, 16 saves most");
      }
      groupSize = size;
      return this;
    }

    /** What closing a {@link GuardedHandle} of this type does while it is in use. */
    public Builder closeInUse(CloseInUse policy) {
      closeInUse = Objects.requireNonNull(policy);
      return this;
    }

    /** What closing a {@link GuardedHandle} of this type does while it has open children. */
    public Builder closeWithChildren(CloseWithChildren policy) {
      closeWithChildren = Objects.requireNonNull(policy);
      return this;
    }

    /** Makes every handle of this type a child of one of {@code parent}'s. */
    public Builder childOf(HandleType parent) {
      parentType = Objects.requireNonNull(parent);
      return this;
    }

    /**
     * Creates the type.
     *
     * @throws IllegalStateException without a releaser, or for children in groups
     */
    public HandleType create() {
      if (releaser == null) {
        throw new IllegalStateException(
            name + ": has no releaser; call releaser(…) before create()");
      }
      if (groupSize > 1 && parentType != null) {
        throw new IllegalStateException(
            name
                + ": children cannot be grouped, since a group cannot keep an order; leave out"
                + " groupSize("
                + groupSize
                + ") or childOf("
                + parentType
                + ")");
      }
      return watched(this);
    }
  }
}
