package dev.offcut.agent.rules;

import dev.offcut.rules.Rule;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a class.
 *
 * @param rule the one that counts
 * @param distance how far above it the class is that the rule names
 * @param below whether the rule holds for the classes below, too
 * @param isCloseable whether it is an AutoCloseable, as far as a rule asks for that
 * @param byInterface whether the rule names an interface: one that names a class goes before it
 */
record Met(
    @Nullable Rule rule, int distance, boolean below, boolean isCloseable, boolean byInterface) {
  /** One that belongs to no rule. */
  static final Met NOT_WATCHED = new Met(null, 0, false, false, false);

  /** One that no rule names, of which rules of packages take theirs. */
  static final Met CLOSEABLE = new Met(null, 0, false, true, false);

  /** What the classes below have of it. */
  Met inherited() {
    if (rule != null && below) {
      return new Met(rule, distance + 1, true, isCloseable, byInterface);
    }
    return isCloseable ? CLOSEABLE : NOT_WATCHED;
  }

  /** That of two that a class inherits which goes before the other; of equal ones this. */
  Met or(Met other) {
    Met first = other.isBefore(this) ? other : this;
    boolean closes = isCloseable || other.isCloseable;
    return first.isCloseable == closes
        ? first
        : new Met(first.rule, first.distance, first.below, true, first.byInterface);
  }

  private boolean isBefore(Met other) {
    if (rule == null || other.rule == null) {
      return other.rule == null && rule != null;
    }
    return byInterface == other.byInterface ? distance < other.distance : other.byInterface;
  }
}
