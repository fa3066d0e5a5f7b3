package dev.offcut.bench.handle;

import dev.offcut.handle.Cleaner;

/** {@code offcut-cleaner}: {@link JdkCleanerHandle} with one import changed. */
final class OffcutCleanerHandle implements Closing {
  private static final Cleaner CLEANER = Cleaner.create();

  private final ResourceState state;
  private final Cleaner.Cleanable cleanable;

  OffcutCleanerHandle(long value) {
    state = new ResourceState(value);
    cleanable = CLEANER.register(this, state);
  }

  @Override
  public void close() {
    cleanable.clean();
  }

  /** What a use of the handle needs, and why it holds the state beside the Cleanable. */
  long value() {
    return state.value();
  }
}
