package shop;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import sun.misc.Unsafe;

/** Memory outside of the Java heap, by means that the tests' JDK may lack. */
@SuppressWarnings({"removal", "deprecation", "sunapi"})
final class Native {
  private static final Unsafe UNSAFE = unsafe();

  private Native() {}

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static long allocate() {
    return UNSAFE.allocateMemory(64);
  }

  static void free(long address) {
    UNSAFE.freeMemory(address);
  }

  /** An arena of {@code java.lang.foreign}, by the name of its factory. */
  static AutoCloseable arena(String factory) {
    try {
      Class<?> type = Class.forName("java.lang.foreign.Arena");
      Object arena = type.getMethod(factory).invoke(null);
      type.getMethod("allocate", long.class).invoke(arena, 64L);
      return (AutoCloseable) arena;
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
