package dev.offcut.agent.publish;

import dev.offcut.agent.base.Access;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/**
 * A step of the JVM's shutdown behind the one in which it runs the hooks of {@link
 * Runtime#addShutdownHook}, all at once: by then the program has closed what it closes in them.
 */
public final class LastStep {
  /** The JDK uses the first three of its steps itself. */
  private static final int FIRST = 3;

  private static final int LAST = 9;

  private LastStep() {}

  /** Adds one, behind those that were added before; in this JDK's way, or else as a hook. */
  public static void add(Instrumentation instrumentation, String name, Runnable step) {
    if (!isAdded(instrumentation, step)) {
      Runtime.getRuntime().addShutdownHook(new Thread(null, step, name, 0, false));
    }
  }

  /**
   * Adds one, before the JVM ends or while it runs the hooks. Returns false if it was not added,
   * and will not run: the JVM has gone further, or its shutdown is not as it is known.
   */
  public static boolean isAdded(Instrumentation instrumentation, Runnable step) {
    try {
      Class<?> shutdown = Class.forName("java.lang.Shutdown", false, null);
      MethodHandle add =
          Access.to(instrumentation, shutdown)
              .lookup(shutdown)
              .findStatic(
                  shutdown,
                  "add",
                  MethodType.methodType(void.class, int.class, boolean.class, Runnable.class));
      for (int number = FIRST; number <= LAST; number++) {
        if (isAdded(add, number, step)) {
          return true;
        }
      }
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      // Another JDK.
    }
    return false;
  }

  /** False if the number is taken. */
  private static boolean isAdded(MethodHandle add, int number, Runnable step) {
    try {
      add.invokeExact(number, true, step); // true: also while the JVM runs the hooks
      return true;
    } catch (Throwable e) {
      return false;
    }
  }
}
