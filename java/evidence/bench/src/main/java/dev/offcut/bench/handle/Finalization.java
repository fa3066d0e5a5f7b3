package dev.offcut.bench.handle;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.handle.Subject.Closing;
import dev.offcut.handle.Cleaner;
import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * {@code finalization}: the program of Florian Weimer's article <i>Java finalization revisited</i>,
 * written anew from its description: opens, uses and closes handles one after the other, as a whole
 * process with the collector's default heap.
 *
 * <p>In the article's form the handle never leaves the method that closes it, and the compiler may
 * prove so and never make the plain object at all. The escaping form passes each handle to a method
 * that is not inlined, as a program that does something with its handles would.
 *
 * <p>The parent takes elapsed and user time, from start to exit. The largest resident set is the
 * process's own high-water mark at the end of {@code main}, from {@code /proc/self/status}: what
 * {@code wait4} tells of a child contains that of its parent, which Java starts it from. Systems
 * without {@code /proc} have no such row.
 *
 * <p>Arguments: implementation, handles, {@code article} or {@code escaping}, the metric's prefix.
 */
final class Finalization {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String HIGH_WATER = "VmHWM:";

  private Finalization() {}

  public static void main(String[] args) throws IOException {
    Supplier<FinalizationHandle> source = FinalizationHandles.of(args[0]);
    int count = Integer.parseInt(args[1]);
    if (args[2].equals("article")) {
      for (int i = 0; i < count; i++) {
        run(source);
      }
    } else {
      for (int i = 0; i < count; i++) {
        runEscaping(source);
      }
    }
    reportResidentSet(args[3]);
  }

  @SuppressWarnings("ReturnValueIgnored") // as in the article
  private static void run(Supplier<FinalizationHandle> source) {
    try (FinalizationHandle handle = source.get()) {
      handle.use();
    }
  }

  @SuppressWarnings("ReturnValueIgnored") // as in the article
  private static void runEscaping(Supplier<FinalizationHandle> source) {
    try (FinalizationHandle handle = source.get()) {
      Sink.take(handle);
      handle.use();
    }
  }

  private static void reportResidentSet(String prefix) throws IOException {
    if (!Files.isReadable(STATUS)) {
      return;
    }
    try (Stream<String> lines = Files.lines(STATUS)) {
      lines
          .filter(line -> line.startsWith(HIGH_WATER))
          .map(line -> line.substring(HIGH_WATER.length()).strip().split(" ", 2)[0])
          .forEach(kib -> Child.figure(prefix + "max_rss_mb", Long.parseLong(kib) / 1024.0, "MB"));
    }
  }

  /** A handle of the program {@link Finalization}: it can be used, and closed. */
  interface FinalizationHandle extends Closing {
    long use();
  }

  /**
   * The handles of {@link Finalization}. As in the article the native resource is a volatile long:
   * 1 while there is one, −1 once it is gone. Where the library keeps the raw value, as Offcut
   * does, opening and releasing write a volatile of their own, so that all pay for the same
   * accesses.
   */
  static final class FinalizationHandles {
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
}
