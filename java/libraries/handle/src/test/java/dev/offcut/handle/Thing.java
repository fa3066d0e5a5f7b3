package dev.offcut.handle;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A plain handle of whatever type the test made. */
final class Thing extends Handle {
  private final HandleType type;
  private long value;

  /** What the thing keeps reachable. */
  @Nullable Object kept;

  private Thing(HandleType type, @Nullable GuardedHandle parent) {
    super(true);
    this.type = type;
    type.reserve(this, parent);
  }

  static Thing open(HandleType type) {
    return reserve(type).opened(Native::open);
  }

  static List<Thing> open(HandleType type, int count) {
    return new ArrayList<>(Stream.generate(() -> open(type)).limit(count).toList());
  }

  static Thing open(HandleType type, Opener opener) {
    return reserve(type).opened(opener);
  }

  static Thing openChild(HandleType type, GuardedHandle parent) {
    return reserveChild(type, parent).opened(Native::open);
  }

  static Thing openChild(HandleType type, GuardedHandle parent, Opener opener) {
    return reserveChild(type, parent).opened(opener);
  }

  /** For tests that open by hand. */
  static Thing reserve(HandleType type) {
    return new Thing(type, null);
  }

  static Thing reserveChild(HandleType type, @Nullable GuardedHandle parent) {
    return new Thing(type, parent);
  }

  /** Opens and forgets, in a frame of its own; returns the raw value. */
  static long forget(HandleType type) {
    return open(type).value;
  }

  static long forgetChild(HandleType type, GuardedHandle parent) {
    return openChild(type, parent).value;
  }

  /** As a constructor that throws before it opens. */
  static void reserveAndForget(HandleType type, @Nullable GuardedHandle parent) {
    Thing unused = reserveChild(type, parent);
  }

  private Thing opened(Opener opener) {
    open(() -> value = opener.open());
    return this;
  }

  /** The raw value. */
  long value() {
    return value;
  }

  @Override
  protected HandleType type() {
    return type;
  }
}
