package dev.offcut.bench.handle;

import com.sun.jna.Native;
import dev.offcut.bench.Agent.Jar;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import dev.offcut.bench.handle.FirstHandle.Free;
import dev.offcut.bench.handle.FirstHandle.JdkHandle;
import dev.offcut.bench.handle.FirstHandle.OffcutHandle;
import dev.offcut.handle.Handle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Suite {@code handle}: Offcut's handles against the JDK's Cleaner and finalization, JNA's cleaner,
 * and objects without any net.
 *
 * <p>Every implementation runs in a JVM of its own, and one round of all of them follows the other.
 * That is why the cases are not JMH benchmarks. JMH runs all forks of one benchmark before the next
 * one's, so on a machine that also does other things a ratio compares two different minutes; it
 * takes wall time, where the CPU time of the working threads is what is steady; and a collector's
 * pause, a heap and a whole process are not operations. {@link OpenCloseJmh} holds the same loop as
 * a JMH benchmark, to check this harness against.
 */
public final class HandleSuite implements Suite {
  /** For a JVM that opens handles: they escape, as a program's do. */
  public static final List<String> NOT_INLINED =
      List.of("-XX:CompileCommand=quiet", "-XX:CompileCommand=" + Sink.NOT_INLINED);

  private static final Set<String> ABOUT_THE_MEASUREMENT = Set.of("gc_calls", "errors_injected");
  private static final Set<String> MORE_IS_BETTER = Set.of("wall_ops_per_ms", "reclaimed");

  /** For the program of case {@code first}. */
  private final Path folder =
      Path.of(System.getProperty("java.io.tmpdir"))
          .resolve("offcut-bench-handle-" + ProcessHandle.current().pid());

  private final Path jar = folder.resolve("first.jar");
  private final Path cache = folder.resolve("first.aot");

  @Override
  public String name() {
    return "handle";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return new HandleCases(quick, jar, cache).all();
  }

  /** Makes the program of case {@code first}, and its AOT cache as a user does. */
  @Override
  public List<ChildRun> prepare(List<Case> cases) throws IOException {
    if (cases.stream().anyMatch(of -> of.name().equals(HandleCases.FIRST))) {
      Files.createDirectory(folder);
      Runtime.getRuntime().addShutdownHook(new Thread(this::deleteFolder, "end of " + folder));
      try (Jar program = new Jar(jar, "")) {
        program.addAllBeside(Handle.class);
        for (Class<?> type : List.of(FirstHandle.class, Free.class, OffcutHandle.class)) {
          program.add(type.getName(), classFile(type));
        }
        program.add(JdkHandle.class.getName(), classFile(JdkHandle.class));
      }
      makeCache();
    }
    return List.of();
  }

  private static byte[] classFile(Class<?> type) throws IOException {
    String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
    try (InputStream in = type.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException("no class file of " + type.getName());
      }
      return in.readAllBytes();
    }
  }

  private void makeCache() throws IOException {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseG1GC",
                "-XX:AOTCacheOutput=" + cache,
                "-cp",
                jar.toString(),
                FirstHandle.class.getName(),
                HandleCases.AOT)
            .redirectErrorStream(true)
            .start();
    String said = new String(java.getInputStream().readAllBytes(), Charset.defaultCharset());
    if (java.onExit().join().exitValue() != 0 || !Files.exists(cache)) {
      throw new IOException("the JVM made no AOT cache: " + said);
    }
  }

  private void deleteFolder() {
    for (Path file : List.of(jar, cache, folder)) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // the system clears its folder of temporary files
      }
    }
  }

  @Override
  public List<Bar> bars() {
    Place cpu = new Place("open_close", "cpu_ns_per_op", "G1", 1);
    Place wall = new Place("open_close", "wall_ns_per_op", "G1", 2);
    Place process = new Place("open_close", "process_cpu_ns_per_op", "G1", 1);
    Place extra = new Place("live_3m", "extra_heap_bytes_per_handle", "G1", 1);
    Place pause = new Place("live_3m", "full_gc_ms", "G1", 1);
    Place reclaim = new Place("forgotten_1m", "reclaim_ms", "G1", 1);
    Place reclaimed = new Place("forgotten_1m", "reclaimed", "G1", 1);
    Place lost = new Place("register_oom", "blocks_lost", "Serial", 1);
    List<Bar> bars = new ArrayList<>();
    Place first = new Place(HandleCases.FIRST, HandleCases.OVER, "G1", 1);
    bars.add(first.atMost(40, "offcut"));
    bars.add(first.atMost(14, HandleCases.AOT));
    for (String heap : HandleCases.HEAPS) {
      for (String gc : List.of("G1", "Serial")) {
        Place cleaner = new Place("cleaner_" + heap, "cpu_ns_per_op", gc, 1);
        bars.add(cleaner.atMost(0.9, "offcut-cleaner", "jdk-cleaner"));
      }
    }
    bars.addAll(
        List.of(
            cpu.atMost(0.45, 0.33, "offcut", "jdk-cleaner"),
            cpu.atMost(2.8, 2.3, "offcut", "plain"),
            wall.atMost(0.30, "offcut", "jdk-cleaner"),
            process.atMost(0.06, "offcut", "jdk-finalize"),
            cpu.atMost(0.65, "offcut-cleaner", "jdk-cleaner"),
            extra.atMost(0.70, "offcut", "jdk-cleaner"),
            pause.atMost(0.75, "offcut", "jdk-cleaner"),
            reclaimed.exactly(HandleCases.FORGOTTEN, "offcut"),
            reclaim.atMost(0.5, 0.3, "offcut", "jdk-cleaner"),
            lost.exactly(0, "offcut")));
    return bars;
  }

  @Override
  public String version(String impl, Jdk jdk) {
    if (isOurs(impl)) {
      return Versions.of("dev.offcut", "offcut-handle");
    }
    if (impl.startsWith("javacpp")) {
      return Versions.of("org.bytedeco", "javacpp");
    }
    return impl.startsWith("jna") ? Native.VERSION : jdk.version();
  }

  @Override
  public Better better(String metric) {
    if (ABOUT_THE_MEASUREMENT.contains(metric)) {
      return Better.NEITHER;
    }
    return MORE_IS_BETTER.contains(metric) ? Better.HIGHER : Better.LOWER;
  }

  @Override
  public boolean isOurs(String impl) {
    return impl.startsWith("offcut");
  }

  @Override
  public boolean isPeer(String impl) {
    return List.of("jdk-", "jna-", "javacpp-").stream().anyMatch(impl::startsWith);
  }
}
