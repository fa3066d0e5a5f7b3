package dev.offcut.agent.command;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.offcut.agent.Launcher;
import dev.offcut.agent.Presence;
import dev.offcut.agent.Request;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A JVM that this command is attached to. Closing it ends that. One thread. */
final class Target implements AutoCloseable {
  private final long pid;
  private final VirtualMachine jvm;
  private Properties known;

  private Target(long pid, VirtualMachine jvm) throws IOException {
    this.pid = pid;
    this.jvm = jvm;
    this.known = jvm.getSystemProperties();
  }

  /** Attaches to a JVM. */
  static Target of(long pid) throws Failure, IOException {
    Owner.check(pid);
    try {
      return new Target(pid, VirtualMachine.attach(String.valueOf(pid)));
    } catch (AttachNotSupportedException e) {
      throw Failure.unreachable(
          "the JVM "
              + pid
              + " lets nobody attach ("
              + e.getMessage()
              + "); give it the agent at its start: -javaagent:"
              + jar());
    } catch (IOException e) {
      throw isAlive(String.valueOf(pid))
          ? Failure.unreachable(
              "the JVM "
                  + pid
                  + " cannot be reached ("
                  + e.getMessage()
                  + "); run this as its user")
          : gone(pid);
    }
  }

  /** Attaches to a JVM that the agent is in. */
  static Target withAgent(long pid) throws Failure, IOException {
    Target target = of(pid);
    if (target.agent() == null) {
      target.close();
      throw Failure.other(
          "the agent is not in the JVM " + pid + "; `attach " + pid + "` puts it there");
    }
    return target;
  }

  static Failure gone(long pid) {
    return Failure.unreachable("no process has the PID " + pid + "; `list` shows the JVMs");
  }

  static boolean isAlive(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive).orElse(false);
  }

  /** The main class, jar or module of a command line, without its arguments. */
  static String program(String commandLine) {
    int space = commandLine.indexOf(' ');
    String name = space < 0 ? commandLine : commandLine.substring(0, space);
    StringBuilder printable = new StringBuilder();
    name.codePoints()
        .forEach(one -> printable.appendCodePoint(Character.isISOControl(one) ? '?' : one));
    return printable.isEmpty() ? "unknown" : printable.toString();
  }

  /** The version of the agent that is in it, or null. */
  @Nullable String agent() {
    return known.getProperty(Presence.VERSION);
  }

  /** What the agent said there. */
  List<String> said() {
    return known.getProperty(Presence.SAID, "").lines().toList();
  }

  /** Itself, in a line. */
  String describe() {
    String agent = agent();
    return "JVM "
        + pid
        + ", "
        + program(known.getProperty("sun.java.command", ""))
        + ", Java "
        + known.getProperty("java.version")
        + ", agent "
        + (agent == null ? "none" : agent);
  }

  /** Puts the agent into it. */
  void start(String options) throws Failure, IOException {
    String version = known.getProperty("java.specification.version", "0");
    if (Launcher.isTooOld(version)) {
      throw Failure.other(
          "the JVM " + pid + " runs Java " + version + ", the agent needs a newer one");
    }
    load(options);
    known = jvm.getSystemProperties();
    if (agent() == null) {
      throw Failure.other("the agent did not start in the JVM " + pid + "; its stderr says why");
    }
  }

  /** The answer of the agent that is in it. */
  String ask(String word) throws Failure, IOException {
    String name = ProcessHandle.current().pid() + "." + System.nanoTime();
    load(Request.MARK + word + "," + name);
    String answer = jvm.getSystemProperties().getProperty(Presence.ANSWER + name);
    if (answer == null) {
      throw Failure.other("the agent in the JVM " + pid + " did not answer; its stderr says why");
    }
    return answer;
  }

  private void load(String options) throws Failure, IOException {
    try {
      jvm.loadAgent(jar().toString(), options);
    } catch (AgentLoadException e) {
      String reason = String.valueOf(e.getMessage());
      throw reason.contains("EnableDynamicAgentLoading")
          ? Failure.unreachable(
              "the JVM "
                  + pid
                  + " loads no agent while it runs; start it with -XX:+EnableDynamicAgentLoading or"
                  + " -javaagent:"
                  + jar())
          : unreadable(reason);
    } catch (AgentInitializationException e) {
      throw unreadable(String.valueOf(e.getMessage()));
    }
  }

  private Failure unreadable(String reason) {
    return Failure.other(
        "the JVM "
            + pid
            + " could not load "
            + jar()
            + " ("
            + reason
            + "); put the jar where its user can read it");
  }

  /** The jar that this is. */
  private static Path jar() {
    return Path.of(
        URI.create(Target.class.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  @Override
  public void close() throws IOException {
    jvm.detach();
  }
}
