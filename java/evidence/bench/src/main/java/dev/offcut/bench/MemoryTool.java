package dev.offcut.bench;

import dev.offcut.bench.malloc.MallocLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Another tool that looks for native memory, with the settings that show most: what a JVM is
 * started with.
 *
 * @param options for the JVM
 * @param environment for its process
 */
public record MemoryTool(String name, List<String> options, Map<String, String> environment) {
  public static final String ASYNC_PROFILER = "async-profiler";
  public static final String NMT = "nmt";
  public static final String NETTY_SIMPLE = "netty-simple";
  public static final String NETTY_PARANOID = "netty-paranoid";
  public static final String JEMALLOC = "jemalloc";

  /**
   * async-profiler's {@code nativemem}, one stack in 64 KiB.
   *
   * @param library where {@link #writeAsyncProfiler} has written it
   */
  public static MemoryTool asyncProfiler(Path library, Path recording) {
    String agent = "-agentpath:" + library + "=start,nativemem=64k,file=" + recording;
    return new MemoryTool(ASYNC_PROFILER, List.of(agent), Map.of());
  }

  /** Whether async-profiler has a library for this system. */
  public static boolean isAsyncProfilerHere() {
    return System.getProperty("os.name").equals("Linux");
  }

  /** Writes async-profiler's library, which is in its jar by system. */
  public static void writeAsyncProfiler(Path library) throws IOException {
    String system = System.getProperty("os.arch").equals("aarch64") ? "linux-arm64" : "linux-x64";
    String name = "/" + system + "/libasyncProfiler.so";
    try (var in = MemoryTool.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("async-profiler's jar has no " + name);
      }
      Files.write(library, in.readAllBytes());
    }
  }

  /** The JVM's native memory tracking, as summary. */
  public static MemoryTool nmt() {
    return new MemoryTool(NMT, List.of("-XX:NativeMemoryTracking=summary"), Map.of());
  }

  /** Netty's leak detector, at the level that the name ends with. */
  public static MemoryTool netty(String name) {
    String level = name.substring(name.indexOf('-') + 1);
    return new MemoryTool(name, List.of("-Dio.netty.leakDetection.level=" + level), Map.of());
  }

  /** jemalloc's library as the system has it, or null. */
  public static @Nullable Path jemallocLibrary() {
    return MallocLibrary.JEMALLOC.file();
  }

  /** What to say where {@link #jemallocLibrary} is null. */
  public static String jemallocAbsence() {
    return MallocLibrary.JEMALLOC.absence();
  }

  /**
   * jemalloc instead of the system's malloc, with its profile of live blocks at the end, one stack
   * in 64 KiB.
   *
   * @param profiles how the names of the profiles begin
   */
  public static MemoryTool jemalloc(Path library, Path profiles) {
    return new MemoryTool(
        JEMALLOC,
        List.of(),
        Map.of(
            "LD_PRELOAD",
            library.toString(),
            "MALLOC_CONF",
            "prof:true,prof_final:true,lg_prof_sample:16,prof_prefix:" + profiles));
  }

  /** The version of the tool with this name. */
  public static String version(String name, Jdk jdk) {
    return switch (name) {
      case ASYNC_PROFILER -> Versions.of("tools.profiler", "async-profiler");
      case NETTY_SIMPLE, NETTY_PARANOID -> Versions.of("io.netty", "netty-buffer");
      case JEMALLOC -> MallocLibrary.JEMALLOC.version();
      default -> jdk.version();
    };
  }
}
