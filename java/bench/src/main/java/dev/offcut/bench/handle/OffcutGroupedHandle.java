package dev.offcut.bench.handle;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;

/** {@code offcut-k16}: tenured in groups of 16. */
final class OffcutGroupedHandle extends Handle implements Closing {
  private static final HandleType TYPE =
      HandleType.named("resource").releaser(Resource::release).groupSize(16).create();

  OffcutGroupedHandle(long value) {
    open(() -> Resource.acquire(value));
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
