package dev.offcut.bench.handle;

import java.lang.ref.Cleaner;

/** {@code jdk-cleaner}: the usual form, a handle and a state that does not refer to it. */
final class JdkCleanerHandle implements Closing {
  private static final Cleaner CLEANER = Cleaner.create();

  private final ResourceState state;
  private final Cleaner.Cleanable cleanable;

  JdkCleanerHandle(long value) {
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
