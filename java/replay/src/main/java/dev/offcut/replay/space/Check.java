package dev.offcut.replay.space;

import java.util.Locale;

/** A condition that always holds, or there is a mistake in the model. */
final class Check {
  private Check() {}

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more dependency
  static void that(boolean condition, String otherwise, Object... arguments) {
    if (!condition) {
      throw new IllegalStateException(String.format(Locale.ROOT, otherwise, arguments));
    }
  }
}
