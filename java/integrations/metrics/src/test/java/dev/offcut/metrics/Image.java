package dev.offcut.metrics;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A handle of a type with a name of its own. */
final class Image extends Handle {
  /** That of the handle that is being made: its type is asked for before it has its fields. */
  private static @Nullable HandleType making;

  private final @Nullable HandleType type;

  private Image() {
    type = making;
    open(() -> 1);
  }

  static HandleType type(String name) {
    return HandleType.named(name).releaser(value -> {}).create();
  }

  static synchronized Image of(HandleType type) {
    making = type;
    return new Image();
  }

  @Override
  protected HandleType type() {
    return Objects.requireNonNull(type == null ? making : type);
  }
}
