package dev.offcut.command;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.lang.foreign.Arena;
import java.lang.ref.Cleaner;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.FlightRecorder;

/** Programs that tests run: a few lines each. */
final class Programs {
  private Programs() {}

  /** A program that says whether there is a recorder in it. */
  static final class Recorder {
    private Recorder() {}

    /** No arguments. */
    public static void main(String[] args) {
      System.out.println("recorder " + FlightRecorder.isInitialized());
    }
  }

  /** A program that closes what it opens, and ends at once. */
  static final class Closing {
    private Closing() {}

    /** No arguments. */
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

    /** No arguments. */
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

    /** No arguments. */
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

    /** Nothing is needed. */
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
}
