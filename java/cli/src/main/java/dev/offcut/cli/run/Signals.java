package dev.offcut.cli.run;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
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
    return (proxy, method, arguments) -> {
      if (method.getName().equals("handle") && !hasIt) {
        child.signal(name);
      }
      return answer(method.getName(), proxy);
    };
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
