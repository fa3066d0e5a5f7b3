package dev.offcut.bench.handle;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Releaser;
import java.lang.ref.Cleaner;

/**
 * The whole program of case {@code first}: one handle, opened and closed. The argument says under
 * which net; with another word it does nothing. No lambdas: the first one of a program costs as
 * much as a third of a handle, and is the program's own.
 */
public final class FirstHandle {
  private FirstHandle() {}

  public static void main(String[] args) {
    if (args[0].startsWith("offcut")) {
      new OffcutHandle().close();
    } else if (args[0].equals("jdk-cleaner")) {
      new JdkHandle().close();
    }
  }

  /** Frees nothing. */
  static final class Free implements Releaser, Runnable {
    @Override
    public void release(long value) {}

    @Override
    public void run() {}
  }

  /** {@code offcut}. */
  static final class OffcutHandle extends Handle implements Handle.Opener {
    private static final HandleType TYPE =
        HandleType.named("resource").releaser(new Free()).create();

    OffcutHandle() {
      open(this);
    }

    @Override
    public long open() {
      return 1;
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** {@code jdk-cleaner}. */
  static final class JdkHandle implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Cleaner.Cleanable cleanable = CLEANER.register(this, new Free());

    @Override
    public void close() {
      cleanable.clean();
    }
  }
}
