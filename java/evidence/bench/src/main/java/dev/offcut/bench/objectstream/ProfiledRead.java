package dev.offcut.bench.objectstream;

import dev.offcut.bench.child.Child;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import one.profiler.AsyncProfiler;

/**
 * Reads a graph as {@link ReadGraph} does, under async-profiler: which share of the reading
 * thread's CPU is the stack walk. Flight Recorder does not see it: the walk is in the JVM.
 *
 * <p>Arguments: implementation, graph, what to sample by, the file of the profile without its
 * ending, CPU seconds of warm-up, seconds of measurement.
 */
final class ProfiledRead {
  private static final int INTERVAL_NANOS = 1_000_000;

  private ProfiledRead() {}

  public static void main(String[] args) throws Exception {
    String impl = args[0];
    String graph = args[1];
    ReadGraph.read(impl, graph, args[4], "0.01"); // what is compiled stays compiled
    AsyncProfiler profiler = AsyncProfiler.getInstance();
    profiler.execute("start,event=" + args[2] + ",interval=" + INTERVAL_NANOS);
    ReadGraph.read(impl, graph, "0", args[5]);
    profiler.execute("stop");
    report(profiler.execute("collapsed"), Path.of(args[3]));
  }

  private static void report(String collapsed, Path name) throws Exception {
    Profile profile = Profile.of(collapsed);
    if (profile.samples() == 0) {
      throw new AssertionError("no sample of the loop that reads in\n" + collapsed);
    }
    Files.createDirectories(Objects.requireNonNull(name.toAbsolutePath().getParent()));
    Files.writeString(Path.of(name + ".collapsed"), collapsed);
    profile.writeFrames(Path.of(name + ".frames"));
    Child.figure("walk_percent", profile.percentIn(Profile.WALK), "%");
    Child.figure("descriptor_percent", profile.percentIn(Profile.DESCRIPTOR), "%");
    Child.figure("samples", profile.samples(), "count");
  }
}
