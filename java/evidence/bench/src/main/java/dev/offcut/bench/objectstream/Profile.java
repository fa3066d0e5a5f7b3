package dev.offcut.bench.objectstream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import one.profiler.AsyncProfiler;
import org.jspecify.annotations.Nullable;

/**
 * The samples of the thread that reads, as stacks: of the lines {@code frame;frame;… count} those
 * with the loop that reads, from that loop on. {@link Sampling} says whether there can be any.
 */
final class Profile {
  private static final String LOOP = "dev/offcut/bench/objectstream/ReadGraph.times";

  /** The stack walk that JDK-8246633 is about, at the one method that all its callers call. */
  static final String WALK = "jdk/internal/misc/VM.latestUserDefinedLoader";

  /** Reading what a class is, its resolution included: the agent rewrites what it calls. */
  static final String DESCRIPTOR = "java/io/ObjectInputStream.readNonProxyDesc";

  /** What is in more of the stacks says nothing of where the time goes. */
  private static final double NEARLY_ALL = 0.9;

  private record Stack(List<String> frames, long samples) {}

  private final List<Stack> stacks;
  private final long samples;

  private Profile(List<Stack> stacks) {
    this.stacks = stacks;
    this.samples = stacks.stream().mapToLong(Stack::samples).sum();
  }

  static Profile of(String collapsed) {
    List<Stack> stacks = new ArrayList<>();
    for (String line : collapsed.lines().toList()) {
      int count = line.lastIndexOf(' ');
      List<String> frames = Arrays.asList(line.substring(0, count).split(";", -1));
      int loop = frames.indexOf(LOOP);
      if (loop >= 0) {
        List<String> inLoop = frames.subList(loop, frames.size());
        stacks.add(new Stack(inLoop, Long.parseLong(line.substring(count + 1))));
      }
    }
    return new Profile(stacks);
  }

  long samples() {
    return samples;
  }

  /** Of the samples those with the method anywhere in the stack, in percent. */
  double percentIn(String method) {
    long with =
        stacks.stream()
            .filter(stack -> stack.frames().contains(method))
            .mapToLong(Stack::samples)
            .sum();
    return samples == 0 ? 0 : 100.0 * with / samples;
  }

  /**
   * The frames in most of the stacks, one a line: percent of the samples with it anywhere, percent
   * with it on top, its name. Those in nearly all stacks or below a percent are left out.
   */
  void writeFrames(Path file) throws IOException {
    Map<String, Long> anywhere = new HashMap<>();
    Map<String, Long> onTop = new HashMap<>();
    for (Stack stack : stacks) {
      new HashSet<>(stack.frames()).forEach(f -> anywhere.merge(f, stack.samples(), Long::sum));
      onTop.merge(stack.frames().getLast(), stack.samples(), Long::sum);
    }
    List<String> lines =
        anywhere.entrySet().stream()
            .filter(
                frame ->
                    frame.getValue() < samples * NEARLY_ALL && frame.getValue() * 100 >= samples)
            .sorted(
                Comparator.<Map.Entry<String, Long>>comparingLong(Map.Entry::getValue)
                    .reversed()
                    .thenComparing(Map.Entry::getKey))
            .map(frame -> line(frame, onTop.getOrDefault(frame.getKey(), 0L)))
            .toList();
    Files.write(file, lines);
  }

  private String line(Map.Entry<String, Long> frame, long onTop) {
    return String.format(
        Locale.ROOT,
        "%.1f %.1f %s",
        100.0 * frame.getValue() / samples,
        100.0 * onTop / samples,
        frame.getKey());
  }

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
}
