package dev.offcut.agent.publish;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Threads of the JDK that wait for objects to become unreachable, and then run what frees their
 * memory: the finalizer thread, and those of cleaners. They are known by their stacks. One that is
 * in the same place for long frees nothing: all objects that became unreachable meanwhile wait
 * behind it.
 */
final class StuckThreads {
  static final String SCHEMA =
      "offcut.StuckThread\nthread text\nstack text\nline long\nsince time\nwaiting long";

  /** One that is in a place for so long is stuck there. */
  private static final long LONG_MILLIS = 10_000;

  /** At the program's end nothing more is known, so less has to do. */
  private static final long AT_END_MILLIS = 1_000;

  /** Others are looked for each time that so many ticks have passed; more often at first. */
  private static final int RARELY = 60;

  /** To look at the stacks of all costs too much if there are more. */
  private static final long MOST_THREADS = 500;

  private static final int MOST = 16;
  private static final int MOST_FRAMES = 24;
  private static final StackTraceElement[] NOWHERE = {};

  private static final class Known {
    private final Thread thread;
    private final String row;
    private StackTraceElement[] place = NOWHERE;
    private long since;
    private boolean told;

    Known(Thread thread, String row) {
      this.thread = thread;
      this.row = row;
    }
  }

  private final Tables tables;
  private final List<Known> known = new ArrayList<>();
  private int rows;

  StuckThreads(Tables tables) {
    this.tables = tables;
  }

  /** {@code threads}: how many the process has; -1 if that is not known. */
  void publish(long now, int tick, long threads, boolean last) throws IOException {
    boolean isTime = tick % RARELY == 0 || (tick & (tick - 1)) == 0;
    if (isTime && threads >= 0 && threads <= MOST_THREADS) {
      find();
    }
    for (int i = 0; i < known.size(); i++) {
      look(known.get(i), now, last);
    }
  }

  private void find() {
    known.removeIf(one -> !one.thread.isAlive() && !one.told);
    for (Map.Entry<Thread, StackTraceElement[]> one : Thread.getAllStackTraces().entrySet()) {
      if (known.size() < MOST
          && known.stream().noneMatch(its -> its.thread == one.getKey())
          && isOfJdk(one.getValue())) {
        known.add(new Known(one.getKey(), "stuck " + rows++));
      }
    }
  }

  private void look(Known one, long now, boolean last) throws IOException {
    StackTraceElement[] place = one.thread.getStackTrace();
    boolean waits = place.length == 0 || isWaiting(place) || line(place) < 0;
    if (waits || !Arrays.equals(place, one.place)) {
      one.place = waits ? NOWHERE : place;
      one.since = now;
      if (one.told) {
        one.told = false;
        Arrays.fill(tables.values, 0, 5, 0);
        tables.set(one.row, SCHEMA);
      }
    } else if (now - one.since >= (last ? AT_END_MILLIS : LONG_MILLIS)) {
      one.told = true;
      tables.values[0] = tables.text(one.thread.getName());
      tables.values[1] = tables.text(text(place));
      tables.values[2] = Math.min(line(place), MOST_FRAMES - 1);
      tables.values[3] = one.since;
      tables.values[4] = isFinalizer(place) ? Ledger.waitingForFinalizers() : -1;
      tables.set(one.row, SCHEMA);
    }
  }

  private static boolean isWaiting(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (frame.getClassName().equals("java.lang.ref.ReferenceQueue")) {
        return true;
      }
    }
    return false;
  }

  /** Whether the outermost method, below that of Thread, is one of the JDK's own such threads. */
  private static boolean isOfJdk(StackTraceElement[] stack) {
    for (int i = stack.length - 1; i >= 0; i--) {
      String type = stack[i].getClassName();
      if (!type.equals("java.lang.Thread") && !type.equals("jdk.internal.misc.InnocuousThread")) {
        return type.startsWith("java.lang.ref.") || type.startsWith("jdk.internal.ref.");
      }
    }
    return false;
  }

  private static boolean isFinalizer(StackTraceElement[] stack) {
    return stack[stack.length - 1].getClassName().startsWith("java.lang.ref.Finalizer");
  }

  /** The outermost frame that is not the JDK's: what frees an object; -1 if there is none. */
  private static int line(StackTraceElement[] stack) {
    for (int i = stack.length - 1; i >= 0; i--) {
      String module = stack[i].getModuleName();
      boolean isOfJdk = module != null && (module.startsWith("java.") || module.startsWith("jdk."));
      if (!isOfJdk && stack[i].getClassName().indexOf('/') < 0) { // a hidden class has no line
        return i;
      }
    }
    return -1;
  }

  /** A line for each frame, without its module and class loader. */
  private static String text(StackTraceElement[] stack) {
    return Stream.of(stack)
        .limit(MOST_FRAMES)
        .map(
            frame ->
                new StackTraceElement(
                        frame.getClassName(),
                        frame.getMethodName(),
                        frame.getFileName(),
                        frame.getLineNumber())
                    .toString())
        .collect(Collectors.joining("\n"));
  }
}
