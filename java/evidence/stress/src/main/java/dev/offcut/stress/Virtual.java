package dev.offcut.stress;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Virtual threads where there are any (JDK 21 and later), else platform threads. */
final class Virtual {
  private static final @Nullable Method START = find();

  private Virtual() {}

  static Thread start(Runnable work) {
    if (START != null) {
      try {
        return (Thread) START.invoke(null, work);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("startVirtualThread", e);
      }
    }
    Thread thread = new Thread(work, "not-virtual");
    thread.start();
    return thread;
  }

  private static @Nullable Method find() {
    try {
      return Thread.class.getMethod("startVirtualThread", Runnable.class);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
