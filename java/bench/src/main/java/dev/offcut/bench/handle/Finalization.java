package dev.offcut.bench.handle;

import dev.offcut.bench.child.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * {@code finalization}: the program of Florian Weimer's article <i>Java finalization revisited</i>,
 * written anew from its description: opens, uses and closes handles one after the other, as a whole
 * process with the collector's default heap.
 *
 * <p>In the article's form the handle never leaves the method that closes it, and the compiler may
 * prove so and never make the plain object at all. The escaping form passes each handle to a method
 * that is not inlined, as a program that does something with its handles would.
 *
 * <p>The parent takes elapsed and user time, from start to exit. The largest resident set is the
 * process's own high-water mark at the end of {@code main}, from {@code /proc/self/status}: what
 * {@code wait4} tells of a child contains that of its parent, which Java starts it from. Systems
 * without {@code /proc} have no such row.
 *
 * <p>Arguments: implementation, handles, {@code article} or {@code escaping}, the metric's prefix.
 */
final class Finalization {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String HIGH_WATER = "VmHWM:";

  private Finalization() {}

  public static void main(String[] args) throws IOException {
    Supplier<FinalizationHandle> source = FinalizationHandles.of(args[0]);
    int count = Integer.parseInt(args[1]);
    if (args[2].equals("article")) {
      for (int i = 0; i < count; i++) {
        run(source);
      }
    } else {
      for (int i = 0; i < count; i++) {
        runEscaping(source);
      }
    }
    reportResidentSet(args[3]);
  }

  @SuppressWarnings("ReturnValueIgnored") // as in the article
  private static void run(Supplier<FinalizationHandle> source) {
    try (FinalizationHandle handle = source.get()) {
      handle.use();
    }
  }

  @SuppressWarnings("ReturnValueIgnored") // as in the article
  private static void runEscaping(Supplier<FinalizationHandle> source) {
    try (FinalizationHandle handle = source.get()) {
      Sink.take(handle);
      handle.use();
    }
  }

  private static void reportResidentSet(String prefix) throws IOException {
    if (!Files.isReadable(STATUS)) {
      return;
    }
    try (Stream<String> lines = Files.lines(STATUS)) {
      lines
          .filter(line -> line.startsWith(HIGH_WATER))
          .map(line -> line.substring(HIGH_WATER.length()).strip().split(" ", 2)[0])
          .forEach(kib -> Child.figure(prefix + "max_rss_mb", Long.parseLong(kib) / 1024.0, "MB"));
    }
  }
}
