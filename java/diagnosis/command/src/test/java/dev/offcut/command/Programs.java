package dev.offcut.command;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.FlightRecorder;

/** Programs that tests run: a few lines each. */
final class Programs {
  private Programs() {}

  /** A program that says whether there is a recorder in it. */
  static final class Recorder {
    private Recorder() {}

    public static void main(String[] args) {
      System.out.println("recorder " + FlightRecorder.isInitialized());
    }
  }

  /** A program that closes what it opens, and ends at once. */
  static final class Closing {
    private Closing() {}

    public static void main(String[] args) {
      try (Arena arena = Arena.ofConfined()) {
        arena.allocate(100);
      }
      System.out.println("closed");
    }
  }

  /** Drops objects whose cleaner takes its time to free their memory. */
  static final class Dropping {
    static final int OBJECTS = 64;
    static final int BYTES = 1 << 20;

    private static final long NANOS = 10_000_000;

    private Dropping() {}

    public static void main(String[] args) {
      Cleaner cleaner = Cleaner.create();
      for (int i = 0; i < OBJECTS; i++) {
        Arena arena = Arena.ofShared();
        arena.allocate(BYTES).fill((byte) 1);
        cleaner.register(
            new Object(),
            () -> {
              LockSupport.parkNanos(NANOS);
              arena.close();
            });
      }
    }
  }

  /** Uses some arenas until its main method returns, and forgets others one after the other. */
  static final class Returning {
    static final int KEPT = 20;
    static final int FORGOTTEN = 5;

    private Returning() {}

    public static void main(String[] args) throws InterruptedException {
      List<Arena> kept = new ArrayList<>();
      for (int i = 0; i < KEPT; i++) {
        kept.add(Arena.ofShared());
      }
      for (int i = 0; i < FORGOTTEN; i++) {
        forget();
        System.gc();
        Thread.sleep(50); // it is found meanwhile
      }
      System.out.println(kept.size());
    }

    private static void forget() {
      Arena.ofShared().allocate(1 << 20);
    }
  }

  /** Says whether the class of its object streams is the JDK's or a rewritten one. */
  static final class Rewritten {
    private Rewritten() {}

    public static void main(String[] args) {
      boolean rewritten =
          Arrays.stream(ObjectInputStream.class.getDeclaredFields())
              .map(Field::getName)
              .anyMatch(name -> name.startsWith("offcut"));
      System.out.println("rewritten " + rewritten);
    }
  }

  /** Starts another JVM by itself, which lives as long as this one: for some seconds. */
  static final class Starting {
    private static final int MILLIS = 6_000;

    private Starting() {}

    /** With an argument it is the other JVM. */
    public static void main(String[] args) throws IOException, InterruptedException {
      if (args.length > 0) {
        System.in.read(); // ends with the pipe
        return;
      }
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      String classes = System.getProperty("java.class.path");
      new ProcessBuilder(java, "-cp", classes, Starting.class.getName(), "other").start();
      Thread.sleep(MILLIS);
    }
  }

  /** A program that dies while its recording is written: only its beginning is there. */
  static final class Breaking {
    private Breaking() {}

    /** {@code FORGET}: how many arenas. */
    public static void main(String[] args) throws Exception {
      for (int i = 0; i < Integer.parseInt(args[0]); i++) {
        Arena.ofConfined().allocate(1024);
      }
      Path chunks = Path.of(System.getProperty("jdk.jfr.repository"));
      Path recording =
          Objects.requireNonNull(chunks.getParent())
              .resolveSibling("recording-" + ProcessHandle.current().pid() + ".jfr");
      TimeUnit.SECONDS.sleep(2); // the agent publishes what was opened
      Files.write(recording, new byte[] {'F', 'L', 'R', 0, 0, 2});
      Runtime.getRuntime().halt(137);
    }
  }

  /** Opens arenas in one class, fills them in another one, and keeps all open. */
  static final class Filling {
    static final int ARENAS = 2_000;
    static final int BYTES = 64 << 10;

    /** Reachable, so that none is lost. */
    private static final Registry REGISTRY = new Registry();

    private Filling() {}

    private static final class Registry {
      private final List<Arena> open = new ArrayList<>();

      private Arena begin() {
        Arena arena = Arena.ofShared();
        open.add(arena);
        return arena;
      }
    }

    private static final class Codec {
      private static void encode(Arena arena) {
        arena.allocate(BYTES).fill((byte) 1);
      }
    }

    public static void main(String[] args) {
      for (int i = 0; i < ARENAS; i++) {
        Codec.encode(REGISTRY.begin());
      }
      System.out.println("open " + REGISTRY.open.size());
    }
  }

  /** A program that opens handles, forgets them, and ends at once. */
  static final class Handles {
    private Handles() {}

    /** {@code COUNT}: how many. */
    public static void main(String[] args) {
      int count = Integer.parseInt(args[0]);
      for (int i = 0; i < count; i++) {
        Context.forget();
      }
      System.out.println("forgot " + count);
    }

    private static final class Context extends Handle {
      private static final HandleType TYPE =
          HandleType.named("short_lived").releaser(value -> {}).create();

      private Context() {
        open(() -> 1);
      }

      @Override
      protected HandleType type() {
        return TYPE;
      }

      @SuppressWarnings("resource") // that is what it is about
      static void forget() {
        new Context();
      }
    }
  }

  /**
   * A program whose memory no other process of its user may read: as one that was given privileges
   * by its file. It runs until its stdin ends.
   */
  static final class Hiding {
    private static final int SET_DUMPABLE = 4;

    private Hiding() {}

    @SuppressWarnings("restricted") // the JDK has no other way to call prctl
    public static void main(String[] args) throws IOException {
      Linker linker = Linker.nativeLinker();
      FunctionDescriptor prctl =
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
      try {
        int result =
            (int)
                linker
                    .downcallHandle(linker.defaultLookup().find("prctl").orElseThrow(), prctl)
                    .invokeExact(SET_DUMPABLE, 0L);
        System.out.println("hidden " + result);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
      while (System.in.read() >= 0) {}
    }
  }
}
