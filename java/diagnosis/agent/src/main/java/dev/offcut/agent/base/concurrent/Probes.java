package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;
import java.lang.ref.Cleaner;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadFactory;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Openings of the agent's own, by which a source shows whether this JDK calls it as the agent
 * expects. The code that counts the program's counts them, too, but as kinds of their own, which
 * nobody is shown: {@link Kind#COUNT} after those of the program. They leave no stack.
 *
 * <p>A helper: a copy of it in java.base runs.
 */
public final class Probes implements ThreadFactory, Runnable {
  /** What a probe leaves when it is opened, as others leave their place. No place has it. */
  static final int TOKEN = 1 << 15;

  /** Asked to open one of a kind of arenas: and to close it, or, as ~kind, to let it go. */
  public static volatile @Nullable IntFunction<Object> arenas;

  /** The class of the agent whose objects are probes: it has a finalizer. */
  public static volatile @Nullable Class<?> finalized;

  /** Who opens one now. Plain: a thread compares what it finds with itself only. */
  private static @Nullable Thread thread;

  /** Of which kind. Plain, likewise. */
  private static int kind;

  private Probes() {}

  /** From here on what this thread opens of a kind is a probe. */
  public static void begin(int of) {
    kind = of;
    thread = Thread.currentThread();
  }

  /** Whether the JVM runs finalizers. */
  public static boolean finalizes() {
    String[] all = Stock.Vm.getRuntimeArguments();
    if (all != null) {
      for (String argument : all) {
        if (argument.equals("--finalization=disabled")) {
          return false;
        }
      }
    }
    return true;
  }

  /** From here on it is the program's. */
  public static void end() {
    thread = null;
  }

  static boolean isProbe(int of) {
    return thread != null && thread == Thread.currentThread() && kind == of;
  }

  /** Counts a probe's opening; its token. */
  static int opened(int of, long bytes) {
    int cell = Counts.cell(of + Kind.COUNT);
    Counts.add(cell, Counts.OPENED, 1);
    Counts.add(cell, Counts.OPENED_BYTES, bytes);
    return TOKEN;
  }

  /** The kind that something with a token is counted as. */
  public static int kind(int of, int token) {
    return token == TOKEN ? of + Kind.COUNT : of;
  }

  /** The numbers of a kind's probes, as {@link Counts#of} has them. */
  public static long[] counts(int of) {
    return Counts.of(of + Kind.COUNT);
  }

  /** Whether a class has been initialized: before that none of its objects is there. */
  public static boolean isInUse(String name) throws ClassNotFoundException {
    Class<?> type = Class.forName(name, false, null);
    return !Stock.Unsafe.getUnsafe().shouldBeInitialized(type);
  }

  /** Opens a probe of a kind and closes it, if there is a close. The caller has begun. */
  public static void close(int of) throws ReflectiveOperationException {
    if (of == Kind.BUFFER) {
      // Without content there is always room for it: no collection is forced.
      ByteBuffer buffer = ByteBuffer.allocateDirect(0);
      Method cleaner = Class.forName("sun.nio.ch.DirectBuffer").getMethod("cleaner");
      Object found = cleaner.invoke(buffer);
      cleaner.getReturnType().getMethod("clean").invoke(found);
    } else if (of == Kind.CLEANER) {
      Cleaner.create(new Probes()).register(new Object(), new Probes()).clean();
    } else {
      arenas(of);
    }
  }

  /** Opens a probe of a kind, which nobody closes; what the collector is to find. */
  public static Object drop(int of) {
    if (of == Kind.BUFFER) {
      return ByteBuffer.allocateDirect(0);
    }
    if (of == Kind.CLEANER) {
      // Its thread ends when the first collection has found the cleaner.
      Object registered = new Object();
      Cleaner.create(new Probes()).register(registered, new Probes());
      return registered;
    }
    return arenas(~of);
  }

  private static Object arenas(int what) {
    IntFunction<Object> opening = arenas;
    return opening == null ? Probes.class : opening.apply(what);
  }

  /** A thread that no other sign than its loop shows to be a cleaner's. */
  @Override
  public Thread newThread(Runnable task) {
    Thread made = new Thread(null, task, "offcut proof", 0, false);
    made.setDaemon(true);
    return made;
  }

  @Override
  public void run() {
    // nothing is to be cleaned
  }
}
