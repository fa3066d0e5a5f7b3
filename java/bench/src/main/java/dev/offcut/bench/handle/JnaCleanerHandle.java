package dev.offcut.bench.handle;

import com.sun.jna.internal.Cleaner;

/** {@code jna-cleaner}: on the cleaner that JNA has for its own memory. */
final class JnaCleanerHandle implements Closing {
  private static final Cleaner CLEANER = Cleaner.getCleaner();

  private final ResourceState state;
  private final Cleaner.Cleanable cleanable;

  JnaCleanerHandle(long value) {
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
