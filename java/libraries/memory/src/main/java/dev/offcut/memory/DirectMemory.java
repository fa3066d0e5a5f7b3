package dev.offcut.memory;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM tells of its direct buffers. It does not count its arenas. Without the module {@code
 * java.management} nothing is known.
 */
final class DirectMemory {
  private static final boolean PRESENT =
      ModuleLayer.boot().findModule("java.management").isPresent();

  private DirectMemory() {}

  /** Their bytes, or null if the JVM does not tell. */
  static @Nullable LongSupplier bytes() {
    return PRESENT ? Bean.find() : null;
  }

  /** Whether the JVM has written all pages of the Java heap that it has. */
  static boolean isHeapTouched() {
    return PRESENT && Bean.isHeapTouched();
  }

  /** Loaded only where the module is there. */
  private static final class Bean {
    static @Nullable LongSupplier find() {
      for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
        if (pool.getName().equals("direct")) {
          return pool::getMemoryUsed;
        }
      }
      return null;
    }

    static boolean isHeapTouched() {
      boolean is = false;
      for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
        if (option.endsWith("AlwaysPreTouch")) {
          is = option.startsWith("-XX:+"); // the last one counts
        }
      }
      return is;
    }
  }
}
