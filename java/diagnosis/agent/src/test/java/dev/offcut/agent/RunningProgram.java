package dev.offcut.agent;

import com.sun.tools.attach.VirtualMachine;
import dev.offcut.test.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** A {@link ManyReadsProgram} in a JVM of its own, which runs until it is closed. */
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
    return ready(
        jvm.classPath(AgentJvm.classes()).and(ManyReadsProgram.class.getName(), reads).start());
  }

  /** Likewise in a JVM with no options at all, which reads nothing. */
  static RunningProgram startPlain() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder = new ProcessBuilder(java, ManyReadsProgram.class.getName(), "0");
    builder.environment().put("CLASSPATH", AgentJvm.classes().toString());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    return ready(builder.start());
  }

  private static RunningProgram ready(Process process) throws IOException {
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

  /** Attaches the agent, as the command does; what the agent has said there until then. */
  List<String> attach(String options) throws Exception {
    return load(options).getProperty(Presence.SAID, "").lines().toList();
  }

  /** What the agent that is in it answers, by lines. */
  List<String> ask(String word) throws Exception {
    return load(Request.MARK + word + ",test")
        .getProperty(Presence.ANSWER + "test")
        .lines()
        .toList();
  }

  private Properties load(String options) throws Exception {
    VirtualMachine jvm = VirtualMachine.attach(String.valueOf(pid()));
    try {
      jvm.loadAgent(AgentJvm.AGENT.toString(), options);
      return jvm.getSystemProperties();
    } finally {
      jvm.detach();
    }
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
