package dev.offcut.cli.run;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Passes signals on to a child, and stays: its report is to be written when it has ended. A
 * terminal sends Ctrl-C to both of us, so that one is not passed on.
 *
 * <p>The only class of the JDK that takes a signal without ending the JVM is {@code
 * sun.misc.Signal}, which compilers warn about by name.
 */
final class Signals {
  private Signals() {}

  /** {@code terminal}: whether one sends signals to the child, too. */
  static void passTo(Child child, boolean terminal) {
    pass("TERM", child, false);
    pass("HUP", child, terminal);
    pass("INT", child, terminal);
  }

  private static void pass(String name, Child child, boolean hasIt) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      signal
          .getMethod("handle", signal, handler)
          .invoke(
              null,
              signal.getConstructor(String.class).newInstance(name),
              Proxy.newProxyInstance(
                  Signals.class.getClassLoader(),
                  new Class<?>[] {handler},
                  passing(name, child, hasIt)));
    } catch (ReflectiveOperationException e) {
      // Not on this system, or the JVM was told to leave signals alone.
    }
  }

  private static InvocationHandler passing(String name, Child child, boolean hasIt) {
    AtomicInteger taken = new AtomicInteger();
    return (proxy, method, arguments) -> {
      if (method.getName().equals("handle") && isOurs(hasIt, child, taken)) {
        child.signal(name, number(arguments[0]));
      }
      return answer(method.getName(), proxy);
    };
  }

  /**
   * Of what the terminal sends to both, the first is the child's, which may have ended of it by
   * now; another one when it has is ours.
   */
  private static boolean isOurs(boolean hasIt, Child child, AtomicInteger taken) {
    return !hasIt || (taken.getAndIncrement() > 0 && !child.isAlive());
  }

  private static int number(Object signal) throws ReflectiveOperationException {
    return (Integer) signal.getClass().getMethod("getNumber").invoke(signal);
  }

  /** Also to what every object is asked. */
  private static @Nullable Object answer(String method, Object proxy) {
    return switch (method) {
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "passes signals on";
      case "equals" -> false;
      default -> null;
    };
  }
}
