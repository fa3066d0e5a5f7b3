package dev.offcut.handle;

import org.jspecify.annotations.Nullable;

/** A guarded handle of whatever type the test made. */
final class GuardedThing extends GuardedHandle {
  private final HandleType type;
  private long value;

  /** What the thing keeps reachable. */
  @Nullable Object kept;

  private GuardedThing(HandleType type, @Nullable GuardedHandle parent) {
    super(true);
    this.type = type;
    type.reserve(this, parent);
  }

  static GuardedThing open(HandleType type) {
    return reserve(type).opened();
  }

  static GuardedThing openChild(HandleType type, GuardedHandle parent) {
    return new GuardedThing(type, parent).opened();
  }

  static GuardedThing reserve(HandleType type) {
    return new GuardedThing(type, null);
  }

  private GuardedThing opened() {
    open(() -> value = Native.open());
    return this;
  }

  long value() {
    return value;
  }

  @Override
  protected HandleType type() {
    return type;
  }
}
