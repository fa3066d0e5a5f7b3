package dev.offcut.replay.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What class loaders did, in order: {@code spec/replay-trace.md}.
 *
 * @param name of the program, for reports
 * @param classSpaceBytes the size of its class space
 * @param estimate how good the sizes are; null where they are given
 */
public record Trace(String name, long classSpaceBytes, @Nullable Estimate estimate, List<Op> ops) {
  /** The name of the format. */
  public static final String SCHEMA = "offcut.replay-trace/1";

  /**
   * Sizes that were estimated from class files.
   *
   * @param classes how many classes the trace has
   * @param withoutFile of how many no class file was found, so that they count as the mean of the
   *     others
   * @param estimatedBytes of all blocks of the loaders that were still there at the end
   * @param measuredBytes the same by {@code jdk.ClassLoaderStatistics}
   */
  public record Estimate(long classes, long withoutFile, long estimatedBytes, long measuredBytes) {
    /** How much the estimate is too large, in percent of what was measured. */
    public double errorPercent() {
      return measuredBytes == 0 ? 0 : 100.0 * (estimatedBytes - measuredBytes) / measuredBytes;
    }
  }

  /** How large a class space may be: the bounds of -XX:CompressedClassSpaceSize. */
  public static final class ClassSpace {
    public static final long LEAST_BYTES = 1L << 20;
    public static final long MOST_BYTES = 3L << 30;

    /** Its size is a multiple of this: a medium chunk of the other space. */
    public static final long UNIT_BYTES = 64L << 10;

    private ClassSpace() {}
  }

  /** A trace that cannot be read. The message is the one line to show. */
  public static final class BadTraceException extends Exception {
    private static final long serialVersionUID = 1;

    BadTraceException(String message) {
      super(message);
    }

    BadTraceException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
