package dev.offcut.agent.base.concurrent;

import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * What the JDK counts of buffers itself, whoever opened them and when. Its management beans say the
 * same, but to make those costs the program half a second.
 *
 * <p>A helper: a copy of it in java.base runs. By reflection: only an agent that is attached asks.
 */
public final class BufferPools {
  private BufferPools() {}

  /**
   * How many direct buffers are open, their bytes, bytes of mapped files; -1 for what is unknown.
   */
  public static long[] now() {
    long[] figures = {-1, -1, -1};
    try {
      Object access = call("jdk.internal.access.SharedSecrets", "getJavaNioAccess", null);
      Object direct = call("jdk.internal.access.JavaNioAccess", "getDirectBufferPool", access);
      figures[0] = figure("getCount", direct);
      figures[1] = figure("getTotalCapacity", direct);
      Object mapped = call("sun.nio.ch.FileChannelImpl", "getMappedBufferPool", null);
      figures[2] = figure("getTotalCapacity", mapped);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // another JDK: what is not known by now is not known
    }
    return figures;
  }

  private static long figure(String name, Object pool) throws ReflectiveOperationException {
    return (Long) call("jdk.internal.misc.VM$BufferPool", name, pool);
  }

  private static Object call(String type, String method, @Nullable Object of)
      throws ReflectiveOperationException {
    try {
      return Class.forName(type).getMethod(method).invoke(of);
    } catch (InvocationTargetException e) {
      throw new ReflectiveOperationException(e.getCause());
    }
  }
}
