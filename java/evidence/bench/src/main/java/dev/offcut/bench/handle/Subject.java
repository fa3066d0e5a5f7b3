package dev.offcut.bench.handle;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.lang.ref.Cleaner;

/**
 * How one implementation opens a handle, and the implementations: those without a net, Offcut's,
 * and those on a cleaner or a finalizer.
 */
@FunctionalInterface
public interface Subject {
  Closing open(long value);

  /**
   * The implementation by its name in the rows. References to constructors, so that a JVM loads the
   * classes of one implementation only.
   */
  static Subject of(String impl) {
    return switch (impl) {
      case "plain" -> PlainHandle::new;
      case "offcut" -> OffcutHandle::new;
      case "offcut-cleaner" -> OffcutCleanerHandle::new;
      case "jdk-cleaner" -> JdkCleanerHandle::new;
      case "jdk-finalize" -> JdkFinalizeHandle::new;
      default -> throw new IllegalArgumentException("no implementation " + impl);
    };
  }

  /** A handle of whichever implementation. */
  interface Closing extends AutoCloseable {
    @Override
    void close();
  }

  /** {@code plain}: an object in the heap without any net. What a forgotten one held is lost. */
  static final class PlainHandle implements Closing {
    private long value;

    public PlainHandle(long value) {
      this.value = Resource.acquire(value);
    }

    @Override
    public void close() {
      long v = value;
      if (v != 0) {
        value = 0;
        Resource.release(v);
      }
    }
  }

  /** {@code offcut}: as the library's documentation shows it. */
  static final class OffcutHandle extends Handle implements Closing {
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

  /** {@code offcut-cleaner}: {@link JdkCleanerHandle} with one import changed. */
  static final class OffcutCleanerHandle implements Closing {
    private static final dev.offcut.handle.Cleaner CLEANER = dev.offcut.handle.Cleaner.create();

    private final Resource.State state;
    private final dev.offcut.handle.Cleaner.Cleanable cleanable;

    OffcutCleanerHandle(long value) {
      state = new Resource.State(value);
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

  /** {@code jdk-cleaner}: the usual form, a handle and a state that does not refer to it. */
  static final class JdkCleanerHandle implements Closing {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Resource.State state;
    private final Cleaner.Cleanable cleanable;

    JdkCleanerHandle(long value) {
      state = new Resource.State(value);
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

  /** {@code jdk-finalize}: closed or finalized, whichever comes first. */
  static final class JdkFinalizeHandle implements Closing {
    private long value;

    JdkFinalizeHandle(long value) {
      this.value = Resource.acquire(value);
    }

    @Override
    public synchronized void close() {
      long v = value;
      if (v != 0) {
        value = 0;
        Resource.release(v);
      }
    }

    @Override
    @SuppressWarnings({"removal", "deprecation", "Finalize"}) // a peer, as long as the JDK has it
    protected void finalize() {
      close();
    }
  }
}
