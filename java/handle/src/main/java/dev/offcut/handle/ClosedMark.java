package dev.offcut.handle;

import org.jspecify.annotations.Nullable;

/** The link of a closed handle at the levels that record sites: where it was opened and closed. */
final class ClosedMark {
  final @Nullable Site opened;
  final @Nullable Site closed;

  private ClosedMark(@Nullable Site opened, @Nullable Site closed) {
    this.opened = opened;
    this.closed = closed;
  }

  /** A mark for a handle opened at {@code opened}, or null where nothing is to be remembered. */
  static @Nullable ClosedMark of(@Nullable Site opened) {
    boolean full = HandleType.detection() == Detection.FULL;
    if (opened == null && !full) {
      return null;
    }
    try {
      return new ClosedMark(opened, full ? Site.here() : null);
    } catch (OutOfMemoryError e) {
      return null; // closing matters more than remembering where
    }
  }

  /** Resolves what this class catches: the first time needs memory, see {@link Warmup}. */
  @SuppressWarnings("EmptyCatch")
  static void warm() {
    try {
      Warmup.raise(new OutOfMemoryError());
    } catch (OutOfMemoryError e) {
      // seen once
    }
  }
}
