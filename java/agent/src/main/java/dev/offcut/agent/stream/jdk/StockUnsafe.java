package dev.offcut.agent.stream.jdk;

import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** Stands for {@code jdk.internal.misc.Unsafe}. */
public abstract class StockUnsafe {
  /** The only one. */
  public static native StockUnsafe getUnsafe();

  /** Defines a class in a class loader, null for the boot loader. */
  public abstract Class<?> defineClass(
      String name,
      byte[] file,
      int offset,
      int length,
      @Nullable ClassLoader loader,
      @Nullable ProtectionDomain domain);

  /** Makes an object without a constructor. */
  public abstract Object allocateInstance(Class<?> type) throws InstantiationException;

  /** Where a field is. */
  public abstract long objectFieldOffset(Class<?> type, String field);

  /** Writes a field. */
  public abstract void putBoolean(Object object, long offset, boolean value);
}
