package dev.offcut.retrofit.base.io;

import java.io.ObjectStreamClass;

/** What a class of streams overrides: bits, held by the class itself. */
final class Overrides extends ClassValue<Integer> {
  /** It resolves classes itself. */
  static final int CLASSES = 1;

  /** It resolves proxy classes itself. */
  static final int PROXIES = 2;

  Overrides() {}

  @Override
  protected Integer computeValue(Class<?> stream) {
    int bits = 0;
    for (Class<?> type = stream; type != Stock.Stream.class; type = type.getSuperclass()) {
      if (declares(type, "resolveClass", ObjectStreamClass.class)) {
        bits |= CLASSES;
      }
      if (declares(type, "resolveProxyClass", String[].class)) {
        bits |= PROXIES;
      }
    }
    return bits;
  }

  /** A class that cannot be looked into counts as one that overrides: then all stays as it was. */
  private static boolean declares(Class<?> type, String method, Class<?> parameter) {
    try {
      return type.getDeclaredMethod(method, parameter).getDeclaringClass() == type;
    } catch (NoSuchMethodException e) {
      return false;
    } catch (LinkageError | RuntimeException e) {
      return true;
    }
  }
}
