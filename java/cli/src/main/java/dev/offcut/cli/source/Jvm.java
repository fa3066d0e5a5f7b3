package dev.offcut.cli.source;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that runs, as its system properties show it. What the agent says of itself stands there, so
 * that to look runs no code of ours in it.
 */
public final class Jvm {
  /** Who may attach to anybody's JVM. */
  private static final String ROOT = "root";

  private static final String VERSION = "offcut.agent.version";
  private static final String REPOSITORY = "offcut.agent.repository";
  private static final String ANSWER = "offcut.agent.answer.";

  private final long pid;
  private final Properties known;

  private Jvm(long pid, Properties known) {
    this.pid = pid;
    this.known = known;
  }

  /** Looks at one. Fails unless there is such a process, it is this user's, and it is a JVM. */
  public static Jvm of(long pid) throws Failure {
    check(pid);
    return new Jvm(pid, ask(pid, VirtualMachine::getSystemProperties));
  }

  /** What may be done with a JVM that is attached to. */
  private interface Question<T> {
    T ask(VirtualMachine jvm) throws IOException, AgentLoadException, AgentInitializationException;
  }

  private static <T> T ask(long pid, Question<T> question) throws Failure {
    try {
      VirtualMachine jvm = VirtualMachine.attach(String.valueOf(pid));
      try {
        return question.ask(jvm);
      } finally {
        jvm.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw Failure.unreachable(
          "the JVM "
              + pid
              + " lets nobody attach ("
              + e.getMessage()
              + "); start it with `offcut run`");
    } catch (AgentLoadException | AgentInitializationException e) {
      throw Failure.unreachable(
          "the JVM "
              + pid
              + " did not load the agent ("
              + e.getMessage()
              + "); start it with `offcut run`, or with -XX:+EnableDynamicAgentLoading");
    } catch (IOException e) {
      throw isAlive(pid)
          ? Failure.unreachable(
              "the JVM "
                  + pid
                  + " cannot be reached ("
                  + e.getMessage()
                  + "); run this as its user")
          : gone(pid);
    }
  }

  /** More than politeness: attaching sends a signal, at which a program that is no JVM may end. */
  private static void check(long pid) throws Failure {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow(() -> gone(pid));
    Optional<String> owner = process.info().user();
    String self = ProcessHandle.current().info().user().orElse("");
    if (owner.isPresent() && !owner.get().equals(self) && !self.equals(ROOT)) {
      throw Failure.unreachable(
          "the process " + pid + " belongs to " + owner.get() + "; run this as that user");
    }
    if (!isListed(pid) && !hasLibrary(pid)) {
      throw process.isAlive()
          ? Failure.unreachable(
              "the process " + pid + " is no JVM; `offcut ps` lists those that are")
          : gone(pid);
    }
  }

  private static Failure gone(long pid) {
    return Failure.unreachable("no process has the PID " + pid + "; `offcut ps` lists the JVMs");
  }

  private static boolean isListed(long pid) {
    return VirtualMachine.list().stream().anyMatch(jvm -> jvm.id().equals(String.valueOf(pid)));
  }

  /** A JVM may be missing in the list: when it publishes no figures, or with attaching disabled. */
  private static boolean hasLibrary(long pid) {
    Path maps = Path.of("/proc", String.valueOf(pid), "maps");
    try (Stream<String> lines = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
      return lines.anyMatch(line -> line.contains("/libjvm."));
    } catch (IOException | UncheckedIOException e) {
      return false; // it ended, or its user is another one
    }
  }

  /** Whether the process has not ended. */
  public static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  /** The version of the agent that is in it, or null. */
  public @Nullable String agent() {
    return known.getProperty(VERSION);
  }

  /** The version of Java that it runs. */
  public String java() {
    return known.getProperty("java.version", "?");
  }

  /** Whether there is a {@link #repository}. */
  public boolean records() {
    return known.getProperty(REPOSITORY) != null;
  }

  /** The directory that Flight Recorder writes to in it. */
  public Path repository() throws Failure {
    if (agent() == null) {
      throw Failure.other(
          "the agent is not in the JVM " + pid + "; `offcut attach " + pid + "` puts it there");
    }
    String directory = known.getProperty(REPOSITORY);
    if (directory == null) {
      throw Failure.other(
          "the agent in the JVM "
              + pid
              + " records nothing; `offcut attach "
              + pid
              + "` makes it begin");
    }
    Path path = Path.of(directory);
    if (!Files.isDirectory(path)) {
      throw Failure.unreachable(
          "the JVM "
              + pid
              + " records to "
              + path
              + ", which is not there for this process; look from inside its container");
    }
    return path;
  }

  /** Puts the agent into it. */
  public static void load(long pid, Path agent, String options) throws Failure {
    ask(
        pid,
        jvm -> {
          jvm.loadAgent(agent.toString(), options);
          return options;
        });
  }

  /** Asks the agent that is in it; null if it does not answer. */
  public static @Nullable String request(long pid, Path agent, String word) throws Failure {
    String name = ProcessHandle.current().pid() + "." + System.nanoTime();
    load(pid, agent, "?" + word + "," + name);
    return ask(pid, VirtualMachine::getSystemProperties).getProperty(ANSWER + name);
  }
}
