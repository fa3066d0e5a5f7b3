package shop;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;

/** Memory outside of the Java heap, by means that javac warns of or does not know. */
final class Native {
  private static final Object UNSAFE = unsafe();

  private Native() {}

  private static Object unsafe() {
    try {
      Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static long allocate() {
    return (long) call(UNSAFE, UNSAFE.getClass(), "allocateMemory", 64L);
  }

  static void free(long address) {
    call(UNSAFE, UNSAFE.getClass(), "freeMemory", address);
  }

  /** An arena of {@code java.lang.foreign}, by the name of its factory. */
  static AutoCloseable arena(String factory) {
    try {
      Class<?> type = Class.forName("java.lang.foreign.Arena");
      Object arena = type.getMethod(factory).invoke(null);
      call(arena, type, "allocate", 64L);
      return (AutoCloseable) arena;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object call(Object object, Class<?> type, String method, long argument) {
    try {
      return type.getMethod(method, long.class).invoke(object, argument);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
