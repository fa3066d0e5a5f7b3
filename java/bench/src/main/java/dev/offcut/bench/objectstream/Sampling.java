package dev.offcut.bench.objectstream;

import java.io.IOException;
import java.util.List;
import one.profiler.AsyncProfiler;
import org.jspecify.annotations.Nullable;

/**
 * What async-profiler may sample by on this machine. By the CPU clock of each thread, else of the
 * process: neither needs the kernel's perf_events, which machines often forbid.
 *
 * @param event null where it may not, or is not made for this system
 * @param why what to say then
 */
record Sampling(@Nullable String event, String why) {
  private static final List<String> EVENTS = List.of("ctimer", "itimer");

  /** Asked once: it loads a library into this JVM. */
  private static final class Found {
    static final Sampling SAMPLING = look();
  }

  static Sampling find() {
    return Found.SAMPLING;
  }

  private static Sampling look() {
    String why = "";
    for (String event : EVENTS) {
      try {
        AsyncProfiler.getInstance().execute("start,event=" + event);
        AsyncProfiler.getInstance().execute("stop");
        return new Sampling(event, "");
      } catch (IOException | RuntimeException | LinkageError e) {
        why = event + ": " + e.getMessage();
      }
    }
    return new Sampling(null, "share of the walk: async-profiler cannot sample here, " + why);
  }
}
