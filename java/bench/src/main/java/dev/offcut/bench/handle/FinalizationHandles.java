package dev.offcut.bench.handle;

import dev.offcut.handle.Cleaner;
import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.lang.ref.Reference;
import java.util.function.Supplier;

/**
 * The handles of {@link Finalization}. As in the article the native resource is a volatile long: 1
 * while there is one, −1 once it is gone. Where the library keeps the raw value, as Offcut does,
 * opening and releasing write a volatile of their own, so that all pay for the same accesses.
 */
final class FinalizationHandles {
  private static final long OPEN = 1;
  private static final long GONE = -1;

  private FinalizationHandles() {}

  /** References to constructors: a process loads the classes of one implementation only. */
  static Supplier<FinalizationHandle> of(String impl) {
    return switch (impl) {
      case "plain" -> Plain::new;
      case "jdk-finalize" -> Finalized::new;
      case "jdk-cleaner" -> Cleaned::new;
      case "offcut" -> Owned::new;
      case "offcut-cleaner" -> CleanedByOffcut::new;
      default -> throw new IllegalArgumentException("no implementation " + impl);
    };
  }

  /** Nothing but the resource: what is forgotten is lost. */
  private static final class Plain implements FinalizationHandle {
    private volatile long resource = OPEN;

    @Override
    public long use() {
      return resource;
    }

    @Override
    public void close() {
      if (resource >= 0) {
        resource = GONE;
      }
    }
  }

  /** Closed or finalized, under the handle's lock. */
  private static final class Finalized implements FinalizationHandle {
    private volatile long resource = OPEN;

    @Override
    public long use() {
      try {
        return resource;
      } finally {
        Reference.reachabilityFence(this);
      }
    }

    @Override
    public synchronized void close() {
      if (resource >= 0) {
        resource = GONE;
      }
    }

    @Override
    @SuppressWarnings({"removal", "deprecation", "Finalize"}) // the subject of the article
    protected synchronized void finalize() {
      close();
    }
  }

  /** What a cleaner cleans: the resource, which does not refer to the handle. */
  private static final class State implements Runnable {
    private volatile long resource = OPEN;

    @Override
    public void run() {
      resource = GONE;
    }
  }

  /** On the JDK's Cleaner. */
  private static final class Cleaned implements FinalizationHandle {
    private static final java.lang.ref.Cleaner CLEANER = java.lang.ref.Cleaner.create();

    private final State state = new State();
    private final java.lang.ref.Cleaner.Cleanable cleanable = CLEANER.register(this, state);

    @Override
    public long use() {
      try {
        return state.resource;
      } finally {
        Reference.reachabilityFence(this);
      }
    }

    @Override
    public void close() {
      cleanable.clean();
    }
  }

  /** The same with one import changed. */
  private static final class CleanedByOffcut implements FinalizationHandle {
    private static final Cleaner CLEANER = Cleaner.create();

    private final State state = new State();
    private final Cleaner.Cleanable cleanable = CLEANER.register(this, state);

    @Override
    public long use() {
      try {
        return state.resource;
      } finally {
        Reference.reachabilityFence(this);
      }
    }

    @Override
    public void close() {
      cleanable.clean();
    }
  }

  /** An Offcut handle. */
  private static final class Owned extends Handle implements FinalizationHandle {
    private static final HandleType TYPE =
        HandleType.named("resource").releaser(value -> written = GONE).create();

    private static volatile long written;

    Owned() {
      open(Owned::create);
    }

    @SuppressWarnings("StaticAssignmentInConstructor") // stands for a native call
    private static long create() {
      written = OPEN;
      return OPEN;
    }

    @Override
    public long use() {
      return withLong(value -> value);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }
}
