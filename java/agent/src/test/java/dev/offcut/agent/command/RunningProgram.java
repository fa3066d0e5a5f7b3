package dev.offcut.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** A {@link ReadingProgram} in a JVM of its own, which runs until it is closed. */
final class RunningProgram implements AutoCloseable {
  private static final int SECONDS = 60;

  private final Process process;
  private final BufferedReader out;
  private final BufferedReader err;

  private RunningProgram(Process process) {
    this.process = process;
    this.out = process.inputReader();
    this.err = process.errorReader();
  }

  /** Starts it, to read so often at a time, and waits until it has. */
  static RunningProgram start(ChildJvm jvm, int reads) throws IOException {
    Process process =
        jvm.classPath(ChildJvm.classes())
            .and(ReadingProgram.class.getName(), reads, "a-secret")
            .start();
    RunningProgram program = new RunningProgram(process);
    program.awaitReady();
    return program;
  }

  long pid() {
    return process.pid();
  }

  /** Lets it read again. */
  void readAgain() throws IOException {
    process.outputWriter().append("\n").flush();
    awaitReady();
  }

  private void awaitReady() throws IOException {
    String line = out.readLine();
    if (!"ready".equals(line)) {
      throw new AssertionError(line + err.lines().toList());
    }
  }

  /** Sends it a signal. */
  void signal(String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** Ends it; what it printed on stderr. */
  String end() throws IOException {
    process.outputWriter().close();
    return String.join("\n", err.lines().toList());
  }

  @Override
  public void close() {
    try {
      process.destroyForcibly().waitFor(SECONDS, TimeUnit.SECONDS);
      out.close();
      err.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
