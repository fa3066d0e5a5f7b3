package dev.offcut.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.offcut.bench.child.Figure;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs programs in child JVMs: same java, same class path, if the run has none of its own. Ends
 * those that run when this JVM ends, or one that takes too long. The figures of a whole process are
 * its own only if no other ends meanwhile.
 */
final class ChildJvm implements Rounds.Runner {
  /** The collector of all runs. */
  static final String GC = "G1";

  /** A child that takes longer counts as hung. */
  private static final long HUNG_SECONDS = 600;

  private final Set<Process> running = ConcurrentHashMap.newKeySet();

  ChildJvm() {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> running.forEach(Process::destroyForcibly)));
  }

  /** Runs to the end; what the child reported, and for a whole process what it took. */
  @Override
  public List<Figure> run(ChildRun run) throws ChildFailure {
    if (run.params() != null) {
      return Loop.run(run);
    }
    double before = childrenCpuNanos();
    long begun = System.nanoTime();
    List<Figure> figures = figuresOf(command(run), run.environment());
    if (run.isWhole()) {
      figures.add(new Figure("elapsed_ms", (System.nanoTime() - begun) / 1e6, "ms"));
      figures.add(new Figure("cpu_ms", (childrenCpuNanos() - before) / 1e6, "ms"));
    }
    return figures;
  }

  private static List<String> command(ChildRun run) {
    if (run.main().isEmpty()) {
      return run.args();
    }
    List<String> command = new ArrayList<>();
    String classPath = run.classPath();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+Use" + GC + "GC");
    command.addAll(run.jvm());
    command.addAll(
        List.of("-cp", classPath == null ? System.getProperty("java.class.path") : classPath));
    command.add(run.main());
    command.addAll(run.args());
    return command;
  }

  private List<Figure> figuresOf(List<String> command, Map<String, String> environment)
      throws ChildFailure {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    List<String> said = new ArrayList<>();
    List<Figure> figures = new ArrayList<>();
    try {
      Process process = builder.start();
      running.add(process);
      Thread watchdog = Thread.startVirtualThread(() -> endAfter(HUNG_SECONDS, process));
      process.inputReader(StandardCharsets.UTF_8).lines().forEach(said::add);
      int status = process.waitFor();
      running.remove(process);
      watchdog.interrupt();
      said.stream().map(Figure::parse).filter(Objects::nonNull).forEach(figures::add);
      if (status == 0) {
        return figures;
      }
      said.addFirst("exit status " + status);
    } catch (IOException e) {
      said.addFirst(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      said.addFirst("interrupted");
    }
    throw new ChildFailure(String.join(" ", command) + "\n  " + String.join("\n  ", said));
  }

  private static void endAfter(long limitSeconds, Process process) {
    try {
      if (!process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      // it ended in time
    }
  }

  /** A child JVM that did not end well. The message says how, with its output. */
  static final class ChildFailure extends Exception {
    private static final long serialVersionUID = 1;

    ChildFailure(String message) {
      super(message);
    }
  }

  private static final MethodHandle GETRUSAGE = getrusage();

  /**
   * CPU time of all child processes that have ended: the difference around one child is the whole
   * child's, its start and its end included, where no other ends meanwhile. struct rusage begins
   * with two struct timeval, each of two longs on Linux: in the program, and in the system for it.
   */
  static double childrenCpuNanos() {
    int children = -1;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment usage = arena.allocate(JAVA_LONG, 36);
      int failed = (int) GETRUSAGE.invokeExact(children, usage);
      if (failed != 0) {
        throw new IllegalStateException("getrusage: " + failed);
      }
      long seconds = usage.getAtIndex(JAVA_LONG, 0) + usage.getAtIndex(JAVA_LONG, 2);
      long micros = (long) usage.getAtIndex(JAVA_INT, 2) + usage.getAtIndex(JAVA_INT, 6);
      return seconds * 1e9 + micros * 1e3;
    } catch (Throwable t) {
      throw new IllegalStateException("getrusage", t);
    }
  }

  @SuppressWarnings("restricted") // the signature is that of POSIX
  private static MethodHandle getrusage() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("getrusage"),
        FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
  }
}
