package dev.offcut.bench;

import dev.offcut.bench.child.Figure;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Starts one child JVM after the other: same java, same class path, if the run has none of its own.
 * Ends the one that runs when this JVM ends, or when it takes too long.
 */
final class ChildJvm implements Rounds.Runner {
  /** The status of a process that was ended by force. */
  private static final int KILLED = 137;

  private volatile @Nullable Process running;
  private volatile boolean ending;

  ChildJvm() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::endForGood, "end of child"));
  }

  /** Runs to the end; what the child reported, and for a whole process what it took. */
  @Override
  public List<Figure> run(Run run, long limitSeconds) throws ChildFailure {
    ChildrenCpu before = ChildrenCpu.soFar();
    long begun = System.nanoTime();
    List<Figure> figures = figuresOf(command(run), limitSeconds);
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

  private static List<String> command(Run run) {
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

  private List<Figure> figuresOf(List<String> command, long limitSeconds) throws ChildFailure {
    ChildOutput output = new ChildOutput();
    try {
      Process process = start(command);
      Thread watchdog = Thread.startVirtualThread(() -> endAfter(limitSeconds, process));
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        lines.lines().forEach(output::take);
      }
      int status = process.waitFor();
      watchdog.interrupt();
      if (status != 0) {
        String limit = status == KILLED ? ", after at most " + limitSeconds + " s" : "";
        throw output.failure("exit status " + status + limit, command);
      }
      return output.figures();
    } catch (IOException e) {
      throw output.failure(e.toString(), command);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw output.failure("interrupted", command);
    } finally {
      end();
    }
  }

  private Process start(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    running = process;
    if (ending) {
      end(); // started while the JVM was told to end
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
  private void end() {
    Process process = running;
    if (process != null) {
      process.destroyForcibly();
    }
    running = null;
    while (ending) {
      LockSupport.park(this);
    }
  }

  private void endForGood() {
    ending = true;
    Process process = running;
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
