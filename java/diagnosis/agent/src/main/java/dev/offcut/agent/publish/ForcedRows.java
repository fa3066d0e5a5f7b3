package dev.offcut.agent.publish;

import dev.offcut.agent.base.concurrent.Sites;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/** Collections that the JDK forces, by the program's stack. */
final class ForcedRows implements LongConsumer {
  private static final String SCHEMA =
      "offcut.ForcedCollection\nstack text\nline long\nthrough text\ncount long\nrequested long";

  /** What more stacks there are is counted without one. */
  private static final int MOST = 100;

  /** As {@link Sites#here} has it. */
  private record Stack(String frames, int line, String through) {
    static final Stack NONE = new Stack("", 0, "");
  }

  private final Map<Stack, long[]> counts = new HashMap<>();

  /** In a thread of the program: with a lock of its own, so that it waits for no file. */
  @Override
  public void accept(long bytes) {
    Object[] here = Sites.here();
    Stack stack =
        here == null
            ? Stack.NONE
            : new Stack((String) here[0], (Integer) here[1], (String) here[2]);
    synchronized (counts) {
      Stack key = counts.size() < MOST || counts.containsKey(stack) ? stack : Stack.NONE;
      long[] count = counts.computeIfAbsent(key, made -> new long[2]);
      count[0]++;
      count[1] += bytes;
    }
  }

  /** Writes to the file without the lock, for which a thread of the program may wait. */
  void publish(Tables tables) throws IOException {
    for (Map.Entry<Stack, long[]> entry : copy().entrySet()) {
      Stack stack = entry.getKey();
      tables.values[0] = tables.text(stack.frames);
      tables.values[1] = stack.line;
      tables.values[2] = tables.text(stack.through);
      tables.values[3] = entry.getValue()[0];
      tables.values[4] = entry.getValue()[1];
      tables.set("forced " + stack.frames, SCHEMA);
    }
  }

  private Map<Stack, long[]> copy() {
    synchronized (counts) {
      Map<Stack, long[]> copy = new HashMap<>();
      for (Map.Entry<Stack, long[]> entry : counts.entrySet()) {
        copy.put(entry.getKey(), entry.getValue().clone());
      }
      return copy;
    }
  }
}
