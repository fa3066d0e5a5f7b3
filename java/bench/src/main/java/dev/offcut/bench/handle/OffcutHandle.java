package dev.offcut.bench.handle;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;

/** {@code offcut}: as the library's documentation shows it. */
final class OffcutHandle extends Handle implements Closing {
  private static final HandleType TYPE =
      HandleType.named("resource").releaser(Resource::release).create();

  OffcutHandle(long value) {
    open(() -> Resource.acquire(value));
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
