package dev.offcut.bench.child;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The measuring side of a run: a JVM of its own that prints what it found, for the other side to
 * read. Whatever else it prints is shown if it fails.
 */
public final class Child {
  private static final Path STATM = Path.of("/proc/self/statm");
  private static final long PAGE_BYTES = 4096;

  private Child() {}

  public static void figure(String metric, double value, String unit) {
    System.out.println(new Figure(metric, value, unit).line());
  }

  public static void figure(String metric, long value, String unit) {
    figure(metric, (double) value, unit);
  }

  /** Nanoseconds, of an argument in seconds. */
  public static long nanos(String seconds) {
    return (long) (Double.parseDouble(seconds) * 1e9);
  }

  /** CPU time of all threads of this JVM so far, GC and compiler included; in steps of a tick. */
  public static long processCpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** Bytes of this process that are in memory, as Linux says: its heap and its code too. */
  public static long residentBytes() {
    try {
      return Long.parseLong(Files.readString(STATM).split(" ", -1)[1]) * PAGE_BYTES;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
