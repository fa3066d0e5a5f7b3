package dev.offcut.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.offcut.bench.child.Figure;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs child JVMs: same java, same class path, if the run has none of its own. Ends those that run
 * when this JVM ends, or one that takes too long. The figures of a whole process are its own only
 * if no other ends meanwhile.
 */
final class ChildJvm implements Rounds.Runner {
  /** The status of a process that was ended by force. */
  private static final int KILLED = 137;

  private final Set<Process> running = ConcurrentHashMap.newKeySet();
  private volatile boolean ending;

  ChildJvm() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::endForGood, "end of child"));
  }

  /** Runs to the end; what the child reported, and for a whole process what it took. */
  @Override
  public List<Figure> run(ChildRun run, long limitSeconds) throws ChildFailure {
    ChildrenCpu before = ChildrenCpu.soFar();
    long begun = System.nanoTime();
    List<Figure> figures = figuresOf(command(run), run.environment(), limitSeconds);
    double elapsed = System.nanoTime() - begun;
    if (run.process() != null) {
      figures.addAll(ofProcess(run.process(), elapsed, ChildrenCpu.soFar().since(before)));
    }
    return figures;
  }

  private static List<Figure> ofProcess(String prefix, double elapsed, ChildrenCpu cpu) {
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure(prefix + "elapsed_ms", elapsed / 1e6, "ms"));
    if (cpu.isKnown()) {
      figures.add(new Figure(prefix + "user_ms", cpu.userNanos() / 1e6, "ms"));
      figures.add(new Figure(prefix + "cpu_ms", cpu.allNanos() / 1e6, "ms"));
    }
    return figures;
  }

  private static List<String> command(ChildRun run) {
    List<String> command = new ArrayList<>();
    String classPath = run.classPath();
    command.add(run.jdk().java().toString());
    command.add("-XX:+Use" + run.gc() + "GC");
    command.addAll(run.jvmArgs());
    command.addAll(
        List.of("-cp", classPath == null ? System.getProperty("java.class.path") : classPath));
    command.add(run.main());
    command.addAll(run.args());
    return command;
  }

  private List<Figure> figuresOf(
      List<String> command, Map<String, String> environment, long limitSeconds)
      throws ChildFailure {
    ChildOutput output = new ChildOutput();
    Process process = null;
    try {
      process = start(command, environment);
      Process started = process;
      Thread watchdog = Thread.startVirtualThread(() -> endAfter(limitSeconds, started));
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        lines.lines().forEach(output::take);
      }
      int status = process.waitFor();
      watchdog.interrupt();
      if (status != 0) {
        String limit = status == KILLED ? ", after at most " + limitSeconds + " s" : "";
        throw output.failure("exit status " + status + limit, command);
      }
      for (Figure figure : output.figures()) {
        if (!Double.isFinite(figure.value())) { // divided by no operations, say
          throw output.failure("it measured nothing: " + figure.line(), command);
        }
      }
      return output.figures();
    } catch (IOException e) {
      throw output.failure(e.toString(), command);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw output.failure("interrupted", command);
    } finally {
      end(process);
    }
  }

  private Process start(List<String> command, Map<String, String> environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    running.add(process);
    if (ending) {
      end(process); // started while the JVM was told to end
    }
    return process;
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

  /** In a JVM that ends this does not return: nothing is to be said about a child it ended. */
  private void end(@Nullable Process process) {
    if (process != null) {
      process.destroyForcibly();
      running.remove(process);
    }
    while (ending) {
      LockSupport.park(this);
    }
  }

  private void endForGood() {
    ending = true;
    running.forEach(Process::destroyForcibly);
  }

  /** A child JVM that did not end well. The message says how, with the end of its output. */
  static final class ChildFailure extends Exception {
    private static final long serialVersionUID = 1;

    ChildFailure(String message) {
      super(message);
    }
  }

  /**
   * What a child prints: its figures, and the last of the other lines for the case that it fails.
   */
  static final class ChildOutput {
    private static final int TAIL_LINES = 12;

    private final List<Figure> figures = new ArrayList<>();
    private final Deque<String> tail = new ArrayDeque<>();

    void take(String line) {
      Figure figure = Figure.parse(line);
      if (figure != null) {
        figures.add(figure);
        return;
      }
      tail.add(line);
      if (tail.size() > TAIL_LINES) {
        tail.remove();
      }
    }

    List<Figure> figures() {
      return figures;
    }

    /** What went wrong, with the command to try it by hand, and the child's own words. */
    ChildFailure failure(String what, List<String> command) {
      StringBuilder message =
          new StringBuilder(what).append("\n  ").append(String.join(" ", command));
      tail.forEach(line -> message.append("\n  | ").append(line));
      return new ChildFailure(message.toString());
    }
  }

  /**
   * CPU time of all child processes that have ended, by {@code getrusage(RUSAGE_CHILDREN)}: the
   * difference around one child is the whole child's, its start and its end included, where no
   * other ends meanwhile. NaN where the system has no getrusage.
   *
   * @param userNanos in the program
   * @param systemNanos in the system, for it
   */
  record ChildrenCpu(double userNanos, double systemNanos) {
    private static final int RUSAGE_CHILDREN = -1;

    private static final ChildrenCpu UNKNOWN = new ChildrenCpu(Double.NaN, Double.NaN);

    /** struct rusage begins with ru_utime and ru_stime, a timeval each. */
    private static final long STRUCT_BYTES = 144;

    /** struct timeval: two longs on 64-bit systems. */
    private static final long TIMEVAL_BYTES = 16;

    private static final @Nullable MethodHandle GETRUSAGE = find();

    static ChildrenCpu soFar() {
      if (GETRUSAGE == null) {
        return UNKNOWN;
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment usage = arena.allocate(STRUCT_BYTES * 2, 8);
        int failed = (int) GETRUSAGE.invokeExact(RUSAGE_CHILDREN, usage);
        return failed != 0
            ? UNKNOWN
            : new ChildrenCpu(nanos(usage, 0), nanos(usage, TIMEVAL_BYTES));
      } catch (Throwable t) {
        throw new IllegalStateException("getrusage", t);
      }
    }

    /** What has been added. */
    ChildrenCpu since(ChildrenCpu before) {
      return new ChildrenCpu(userNanos - before.userNanos, systemNanos - before.systemNanos);
    }

    double allNanos() {
      return userNanos + systemNanos;
    }

    boolean isKnown() {
      return !Double.isNaN(userNanos);
    }

    /** tv_usec: 4 bytes on macOS, 8 on Linux; always below 2^31, and both are little-endian. */
    private static double nanos(MemorySegment usage, long at) {
      return usage.get(JAVA_LONG, at) * 1e9 + usage.get(JAVA_INT, at + JAVA_LONG.byteSize()) * 1e3;
    }

    @SuppressWarnings("restricted") // the signature is that of POSIX
    private static @Nullable MethodHandle find() {
      Linker linker = Linker.nativeLinker();
      return linker
          .defaultLookup()
          .find("getrusage")
          .map(f -> linker.downcallHandle(f, FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS)))
          .orElse(null);
    }
  }
}
