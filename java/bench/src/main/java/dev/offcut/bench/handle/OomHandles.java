package dev.offcut.bench.handle;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.lang.ref.Cleaner;
import java.util.function.Supplier;

/** The handles of {@link RegisterOom}, which own a block each. */
final class OomHandles {
  private OomHandles() {}

  static Supplier<Closing> of(String impl) {
    return switch (impl) {
      case "jdk-cleaner" -> Registered::new;
      case "jdk-cleaner-guarded" -> Guarded::new;
      case "offcut" -> Owned::new;
      default -> throw new IllegalArgumentException("no implementation " + impl);
    };
  }

  /** Frees its block, once. */
  private static final class State implements Runnable {
    private final long block = Blocks.malloc();

    @Override
    public void run() {
      Blocks.free(block);
    }
  }

  /** {@code jdk-cleaner}: malloc, then register, as the article's example. */
  private static final class Registered implements Closing {
    static final Cleaner CLEANER = Cleaner.create();

    private final Cleaner.Cleanable cleanable;

    Registered() {
      cleanable = CLEANER.register(this, new State());
    }

    @Override
    public void close() {
      cleanable.clean();
    }
  }

  /** {@code jdk-cleaner-guarded}: if it cannot be registered, it is freed. */
  private static final class Guarded implements Closing {
    private final Cleaner.Cleanable cleanable;

    Guarded() {
      State state = new State();
      try {
        cleanable = Registered.CLEANER.register(this, state);
      } catch (Throwable t) {
        state.run();
        throw t;
      }
    }

    @Override
    public void close() {
      cleanable.clean();
    }
  }

  /** {@code offcut}: its place is taken before malloc is called. */
  private static final class Owned extends Handle implements Closing {
    private static final HandleType TYPE =
        HandleType.named("block").releaser(Blocks::free).create();

    Owned() {
      open(Blocks::malloc);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }
}
