package dev.offcut.resident;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a Unix socket by the native methods of the JDK's own tools. The JDK's channel for
 * such sockets makes random numbers when its class is initialized, for names that nobody asks for:
 * that takes 12 ms of CPU, a tenth of the first account.
 *
 * <p>It is there only if the JVM was started with {@code --add-opens
 * jdk.attach/sun.tools.attach=dev.offcut.resident}. One thread.
 */
final class ToolSocket implements Closeable {
  private static final String TOOLS = "sun.tools.attach.VirtualMachineImpl";

  private record Natives(Method socket, Method connect, Method read, Method write, Method close) {}

  private static final @Nullable Natives NATIVES = natives();

  private final Natives natives;
  private final int descriptor;

  private ToolSocket(Natives natives, int descriptor) {
    this.natives = natives;
    this.descriptor = descriptor;
  }

  private static @Nullable Natives natives() {
    try {
      Class<?> tools = Class.forName(TOOLS);
      Class<?>[] bytes = {int.class, byte[].class, int.class, int.class};
      return new Natives(
          method(tools, "socket"),
          method(tools, "connect", int.class, String.class),
          method(tools, "read", bytes),
          method(tools, "write", bytes),
          method(tools, "close", int.class));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return null; // not opened, or another JDK
    }
  }

  private static Method method(Class<?> type, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    Method method = type.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }

  /** Whether the JVM lets us use it. */
  static boolean isThere() {
    return NATIVES != null;
  }

  /** Connects to a socket; null without the methods. Fails if nobody listens. */
  static @Nullable ToolSocket connect(Path path) throws IOException {
    Natives known = NATIVES;
    if (known == null) {
      return null;
    }
    ToolSocket socket = new ToolSocket(known, (Integer) call(known.socket));
    try {
      call(known.connect, socket.descriptor, path.toString());
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Writes all. */
  void write(byte[] bytes) throws IOException {
    call(natives.write, descriptor, bytes, 0, bytes.length);
  }

  /** Reads what there is; returns how many bytes, -1 at the end. */
  int read(byte[] to) throws IOException {
    return (Integer) call(natives.read, descriptor, to, 0, to.length);
  }

  @Override
  public void close() throws IOException {
    call(natives.close, descriptor);
  }

  private static Object call(Method method, Object... arguments) throws IOException {
    try {
      return method.invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IOException(e);
    }
  }
}
