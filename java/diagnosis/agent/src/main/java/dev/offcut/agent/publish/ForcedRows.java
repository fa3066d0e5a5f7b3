package dev.offcut.agent.publish;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Collections that the JDK forces, by the program's stack. */
final class ForcedRows implements LongConsumer {
  private static final String SCHEMA =
      "offcut.ForcedCollection\nstack text\ncount long\nrequested long";

  /** What more stacks there are is counted without one. */
  private static final int MOST = 100;

  private static final int FRAMES = 20;

  private final Map<String, long[]> counts = new HashMap<>();
  private boolean changed;

  /** In a thread of the program: with a lock of its own, so that it waits for no file. */
  @Override
  public void accept(long bytes) {
    String stack = stack(new Throwable().getStackTrace());
    synchronized (counts) {
      String key = counts.size() < MOST || counts.containsKey(stack) ? stack : "";
      long[] count = counts.computeIfAbsent(key, made -> new long[2]);
      count[0]++;
      count[1] += bytes;
      changed = true;
    }
  }

  private static String stack(StackTraceElement[] frames) {
    StringBuilder lines = new StringBuilder();
    int taken = 0;
    for (StackTraceElement frame : frames) {
      String type = frame.getClassName();
      boolean above = taken == 0 && isInside(type);
      if (!above && taken < FRAMES && !type.contains("$$Lambda")) {
        lines.append(taken++ == 0 ? "" : "\n").append(type).append('.');
        lines.append(frame.getMethodName()).append('(').append(frame.getFileName());
        if (frame.getLineNumber() > 0) {
          lines.append(':').append(frame.getLineNumber());
        }
        lines.append(')');
      }
    }
    return lines.toString();
  }

  private static boolean isInside(String type) {
    return type.startsWith("java.")
        || type.startsWith("jdk.")
        || type.startsWith("sun.")
        || type.startsWith("dev.offcut.agent.");
  }

  /** Writes to the file without the lock, for which a thread of the program may wait. */
  void publish(Tables tables) throws IOException {
    Map<String, long[]> copy = copyIfChanged();
    if (copy == null) {
      return;
    }
    boolean published = false;
    try {
      for (Map.Entry<String, long[]> entry : copy.entrySet()) {
        tables.values[0] = tables.text(entry.getKey());
        tables.values[1] = entry.getValue()[0];
        tables.values[2] = entry.getValue()[1];
        tables.set("forced " + entry.getKey(), SCHEMA);
      }
      published = true;
    } finally {
      if (!published) {
        tryAgain();
      }
    }
  }

  private void tryAgain() {
    synchronized (counts) {
      changed = true;
    }
  }

  private @Nullable Map<String, long[]> copyIfChanged() {
    synchronized (counts) {
      if (!changed) {
        return null;
      }
      changed = false;
      Map<String, long[]> copy = new HashMap<>();
      for (Map.Entry<String, long[]> entry : counts.entrySet()) {
        copy.put(entry.getKey(), entry.getValue().clone());
      }
      return copy;
    }
  }
}
