package dev.offcut.agent.hooks;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls C's functions through {@code Linker}, by reflection: older JDKs have none. */
final class Downcall {
  private static final MethodHandle MALLOC = of("malloc", "JAVA_LONG", "JAVA_LONG");
  private static final MethodHandle REALLOC = of("realloc", "JAVA_LONG", "JAVA_LONG", "JAVA_LONG");
  private static final MethodHandle FREE = of("free", "", "JAVA_LONG");

  private Downcall() {}

  static long malloc(long bytes) {
    try {
      return (long) MALLOC.invokeExact(bytes);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static long realloc(long block, long bytes) {
    try {
      return (long) REALLOC.invokeExact(block, bytes);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static void free(long block) {
    try {
      FREE.invokeExact(block);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** A handle of a function, with the names of the layouts that it returns and takes. */
  static MethodHandle of(String function, String returns, String... takes) {
    return of(function, new Object[0], returns, takes);
  }

  /** Likewise, with options of the linker. */
  static MethodHandle of(String function, Object[] options, String returns, String... takes) {
    return made(symbol(function), options, returns, takes);
  }

  /** A handle whose first argument is the function. */
  static MethodHandle unbound(Object[] options, String returns, String... takes) {
    return made(null, options, returns, takes);
  }

  private static MethodHandle made(
      @Nullable Object symbol, Object[] options, String returns, String... takes) {
    try {
      Class<?> option = type("Linker$Option");
      Object all = Array.newInstance(option, options.length);
      System.arraycopy(options, 0, all, 0, options.length);
      Class<?> linker = type("Linker");
      Object descriptor = descriptor(returns, takes);
      Object made =
          symbol == null
              ? linker
                  .getMethod("downcallHandle", type("FunctionDescriptor"), all.getClass())
                  .invoke(linker(), descriptor, all)
              : linker
                  .getMethod(
                      "downcallHandle",
                      type("MemorySegment"),
                      type("FunctionDescriptor"),
                      all.getClass())
                  .invoke(linker(), symbol, descriptor, all);
      return (MethodHandle) made;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object descriptor(String returns, String... takes)
      throws ReflectiveOperationException {
    Object layouts = Array.newInstance(type("MemoryLayout"), takes.length);
    for (int i = 0; i < takes.length; i++) {
      Array.set(layouts, i, layout(takes[i]));
    }
    Class<?> type = type("FunctionDescriptor");
    return returns.isEmpty()
        ? type.getMethod("ofVoid", layouts.getClass()).invoke(null, layouts)
        : type.getMethod("of", type("MemoryLayout"), layouts.getClass())
            .invoke(null, layout(returns), layouts);
  }

  private static Object layout(String name) throws ReflectiveOperationException {
    return type("ValueLayout").getField(name).get(null);
  }

  /** An option of the linker. */
  static Object option(String name, Object argument) {
    try {
      for (Method method : type("Linker$Option").getMethods()) {
        if (method.getName().equals(name) && method.getParameterCount() == 1) {
          return method.invoke(null, argument);
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalArgumentException(name);
  }

  /** Where a function of C's library is. */
  static Object symbol(String function) {
    try {
      Object lookup = type("Linker").getMethod("defaultLookup").invoke(linker());
      return ((Optional<?>)
              type("SymbolLookup").getMethod("find", String.class).invoke(lookup, function))
          .orElseThrow();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object linker() throws ReflectiveOperationException {
    return type("Linker").getMethod("nativeLinker").invoke(null);
  }

  static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName("java.lang.foreign." + name);
  }
}
