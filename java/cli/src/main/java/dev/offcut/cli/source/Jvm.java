package dev.offcut.cli.source;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import dev.offcut.cli.digest.Order;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that runs, as its system properties show it. What the agent says of itself stands there, so
 * that looking at a JVM runs no code of ours in it; {@link #load} and {@link #ask} do.
 */
public final class Jvm {
  /** Who may attach to anybody's JVM. */
  private static final String ROOT = "root";

  /** The oldest Java that the agent is for. */
  private static final int OLDEST_JAVA = 17;

  /**
   * In the file {@code release} of a JDK, where JAVA_RUNTIME_VERSION comes first and says what
   * {@code java.version} says, and more. A runtime that jlink made has JAVA_VERSION alone.
   */
  private static final Pattern RELEASE = Pattern.compile("JAVA(?:_RUNTIME)?_VERSION=\"([^\"+]+).*");

  private static final String NO_TOOLS = "-XX:+DisableAttachMechanism";

  /** A JVM with one of these runs no program: it writes an archive, and ends. */
  private static final List<String> ARCHIVING = List.of("-Xshare:dump", "-XX:AOTMode=create");

  /** How long {@link #list} waits for all of them: one that is stopped may never answer. */
  private static final Duration ANSWER_TIME = Duration.ofSeconds(5);

  // The agent's `Presence` sets these in its program.
  private static final String VERSION = "offcut.agent.version";
  private static final String SAID = "offcut.agent.said";
  private static final String REPOSITORY = "offcut.agent.repository";
  private static final String TABLES = "offcut.agent.tables";
  private static final String ANSWER = "offcut.agent.answer.";

  /**
   * A JVM in the list of all.
   *
   * @param java null if it did not answer
   * @param agent null without one
   * @param records whether its agent records
   * @param main without its arguments
   */
  public record Listed(
      long pid, @Nullable String java, @Nullable String agent, boolean records, String main) {}

  private final long pid;
  private final Properties known;

  private Jvm(long pid, Properties known) {
    this.pid = pid;
    this.known = known;
  }

  /** Looks at one. Fails unless there is such a process, it is this user's, and it is a JVM. */
  public static Jvm of(long pid) throws Failure {
    check(pid);
    return new Jvm(pid, attached(pid, VirtualMachine::getSystemProperties));
  }

  /** Likewise, and the agent must be in it. */
  public static Jvm withAgent(long pid) throws Failure {
    Jvm jvm = of(pid);
    if (jvm.agent() == null) {
      throw Failure.other(
          "the agent is not in the JVM " + pid + "; `offcut attach " + pid + "` puts it there");
    }
    return jvm;
  }

  /**
   * The JVMs of this user that publish counters, but for this one, by their PIDs. Those that have a
   * file of the agent's open are attached to, each on a thread of its own. The others are left
   * alone: one with a full heap would tell its program's stdout that it cannot answer.
   */
  public static List<Listed> list() {
    Map<Long, FutureTask<Jvm>> asked = new LinkedHashMap<>();
    List<Listed> all = new ArrayList<>();
    Map<Long, String> commands = commands();
    for (Map.Entry<Long, String> jvm : commands.entrySet()) {
      long pid = jvm.getKey();
      String java = isWithAgent(pid) ? null : installed(pid);
      if (java != null) {
        all.add(new Listed(pid, java, null, false, main(jvm.getValue())));
        continue;
      }
      FutureTask<Jvm> task = new FutureTask<>(() -> of(pid));
      Thread thread = new Thread(task, "offcut asks " + pid);
      thread.setDaemon(true);
      thread.start();
      asked.put(pid, task);
    }
    long until = System.nanoTime() + ANSWER_TIME.toNanos();
    asked.forEach(
        (pid, answer) -> add(all, pid, main(commands.getOrDefault(pid, "")), answer, until));
    all.sort(Order.byLong(Listed::pid));
    return all;
  }

  /** What the other JVMs run to which tools may attach. */
  private static Map<Long, String> commands() {
    Map<Long, String> commands = new LinkedHashMap<>();
    try {
      Counters.all()
          .forEach(
              (pid, counters) -> {
                if (counters.attachable()) {
                  commands.put(pid, counters.command());
                }
              });
    } catch (IOException e) {
      for (VirtualMachineDescriptor jvm : VirtualMachine.list()) { // another system
        commands.put(Long.parseLong(jvm.id()), jvm.displayName());
      }
      commands.remove(ProcessHandle.current().pid());
    }
    return commands;
  }

  /**
   * Whether it has a file open that the agent opens: its jar, or its tables. Also if that cannot be
   * seen.
   */
  private static boolean isWithAgent(long pid) {
    try (Stream<Path> files = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
      return files.anyMatch(Jvm::isAgents);
    } catch (IOException | UncheckedIOException e) {
      return true;
    }
  }

  private static boolean isAgents(Path link) {
    try {
      String name = String.valueOf(Files.readSymbolicLink(link).getFileName());
      return name.contains(Tables.ENDING) || name.contains("offcut-agent");
    } catch (IOException e) {
      return false; // closed by now
    }
  }

  /** The version of the JDK that its library belongs to; null if that does not say. */
  private static @Nullable String installed(long pid) {
    String library = library(pid);
    if (library == null || library.endsWith(" (deleted)")) {
      return null; // deleted: another JDK may be there now
    }
    Path home = Path.of(library).resolve("../../..").normalize();
    // The process's own, also in a container.
    Path release = Path.of("/proc/" + pid + "/root" + home + "/release");
    try (Stream<String> lines = Files.lines(release, StandardCharsets.ISO_8859_1)) {
      return lines
          .map(RELEASE::matcher)
          .filter(Matcher::matches)
          .map(line -> line.group(1))
          .findFirst()
          .orElse(null);
    } catch (IOException | UncheckedIOException e) {
      return null;
    }
  }

  /** One that is gone by now is left out. */
  private static void add(
      List<Listed> all, long pid, String main, FutureTask<Jvm> answer, long until) {
    try {
      Jvm jvm = answer.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      all.add(new Listed(pid, jvm.java(), jvm.agent(), jvm.records(), main));
    } catch (TimeoutException e) {
      all.add(new Listed(pid, null, null, false, main));
    } catch (ExecutionException e) {
      if (isAlive(pid)) {
        all.add(new Listed(pid, null, null, false, main));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets a JVM open the socket on which it is asked, if it lets anybody attach. */
  public static void open(long pid) {
    if (refusal(pid) != null) {
      return;
    }
    try {
      VirtualMachine.attach(String.valueOf(pid)).detach();
    } catch (AttachNotSupportedException | IOException e) {
      // Then it is not asked.
    }
  }

  /** What may be done with a JVM that is attached to. */
  private interface Question<T> {
    T ask(VirtualMachine jvm) throws IOException, AgentLoadException, AgentInitializationException;
  }

  /**
   * Why nobody may attach to it; null if one may. The JDK would send a signal to one that was told
   * to let nobody attach, at which it prints the stacks of its threads where the program prints.
   * One that writes an archive of classes would load classes to answer, and fail because of them.
   */
  private static @Nullable String refusal(long pid) {
    for (String file : List.of("cmdline", "environ")) {
      try {
        String text =
            Files.readString(
                Path.of("/proc", String.valueOf(pid), file), StandardCharsets.ISO_8859_1);
        if (text.contains(NO_TOOLS)) {
          return "does not allow attaching (" + NO_TOOLS + ")";
        }
        for (String option : ARCHIVING) {
          if (text.contains(option)) {
            return "writes an archive of classes (" + option + "), which attaching would spoil";
          }
        }
      } catch (IOException e) {
        // Another system, or another user's: the JDK's tools will tell.
      }
    }
    return null;
  }

  /**
   * The file of the agent's tables in a JVM that lets nobody attach: it has the file open. Null if
   * it lets tools attach, or no agent is in it that publishes tables.
   */
  static @Nullable Path tablesWithoutAsking(long pid) {
    return refusal(pid) == null ? null : openTables(pid);
  }

  /** The same of any JVM; null also if this user may not see which files it has open. */
  static @Nullable Path openTables(long pid) {
    try (Stream<Path> files = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
      return files
          .map(link -> openTables(pid, link))
          .filter(Objects::nonNull)
          .findFirst()
          .orElse(null);
    } catch (IOException | UncheckedIOException e) {
      return null;
    }
  }

  private static @Nullable Path openTables(long pid, Path link) {
    try {
      String file = Files.readSymbolicLink(link).toString();
      return file.endsWith(Tables.ENDING) ? seen(pid, file) : null;
    } catch (IOException e) {
      return null; // closed by now
    }
  }

  /** Where this process sees a file of another, which may be in a container. */
  private static Path seen(long pid, String file) {
    Path inside = Path.of("/proc", String.valueOf(pid), "root", file);
    return Files.exists(Path.of(file)) || !Files.exists(inside) ? Path.of(file) : inside;
  }

  private static <T> T attached(long pid, Question<T> question) throws Failure {
    String refusal = refusal(pid);
    if (refusal != null) {
      throw Failure.unreachable("the JVM " + pid + " " + refusal);
    }
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
              + " does not allow attaching ("
              + e.getMessage()
              + "); start it with `offcut run`");
    } catch (AgentLoadException | AgentInitializationException e) {
      throw notLoaded(pid, String.valueOf(e.getMessage()));
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

  private static Failure notLoaded(long pid, String reason) {
    return reason.contains("EnableDynamicAgentLoading")
        ? Failure.unreachable(
            "the JVM "
                + pid
                + " loads no agents at run time; start it with `offcut run`, or with"
                + " -XX:+EnableDynamicAgentLoading")
        : Failure.other(
            "the JVM "
                + pid
                + " could not load the agent ("
                + reason
                + "); put offcut-agent.jar where its user can read it");
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
    return library(pid) != null;
  }

  /** The file of the JVM in a process; null if there is none. */
  private static @Nullable String library(long pid) {
    Path maps = Path.of("/proc", String.valueOf(pid), "maps");
    try (Stream<String> lines = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.contains("/libjvm."))
          .map(line -> line.substring(line.indexOf('/')))
          .findFirst()
          .orElse(null);
    } catch (IOException | UncheckedIOException e) {
      return null; // it ended, or its user is another one
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

  /** What the agent said on the program's stderr, by lines. */
  public List<String> said() {
    return known.getProperty(SAID, "").lines().toList();
  }

  /** The main class, jar or module, without arguments. */
  public String main() {
    return main(known.getProperty("sun.java.command", ""));
  }

  /** The first word, without what a terminal would obey. */
  private static String main(String commandLine) {
    int space = commandLine.indexOf(' ');
    String name = space < 0 ? commandLine : commandLine.substring(0, space);
    String printable = name.replaceAll("\\p{Cntrl}", "?");
    return printable.isEmpty() ? "unknown" : printable;
  }

  /** The version of Java that it runs. */
  public String java() {
    return known.getProperty("java.version", "?");
  }

  /** The file of its agent's tables, also that of a container; null if there is none yet. */
  public @Nullable Path tables() {
    String file = known.getProperty(TABLES);
    return file == null ? null : seen(pid, file);
  }

  /** Whether there is a {@link #repository}. */
  public boolean records() {
    return known.getProperty(REPOSITORY) != null;
  }

  /** The directory that Flight Recorder writes to in it. */
  public Path repository() throws Failure {
    String directory = known.getProperty(REPOSITORY);
    if (directory == null) {
      throw Failure.other(
          "the agent in the JVM "
              + pid
              + " records nothing; `offcut attach "
              + pid
              + "` starts a recording");
    }
    Path path = Path.of(directory);
    if (!Files.isDirectory(path)) {
      throw Failure.unreachable(
          "the JVM "
              + pid
              + " records to "
              + path
              + ", which this command cannot see; run the command inside the container");
    }
    return path;
  }

  /** Puts the agent into it; what it looks like then. */
  public Jvm load(Path agent, String options) throws Failure {
    String java = known.getProperty("java.specification.version", "0");
    if (java.startsWith("1.") || Integer.parseInt(java) < OLDEST_JAVA) {
      throw Failure.other(
          "the JVM " + pid + " runs Java " + java + ", the agent needs " + OLDEST_JAVA);
    }
    load(pid, agent, options);
    Jvm now = of(pid);
    if (now.agent() == null) {
      throw Failure.other("the agent did not start in the JVM " + pid + "; its stderr says why");
    }
    return now;
  }

  /**
   * Asks the agent that is in it: {@code record}, {@code status} or {@code report}, as the agent's
   * {@code Request} has them. The agent is loaded again with the request for options, and leaves
   * its answer in a system property, by which no file is written that another user could not read.
   */
  public String ask(Path agent, String word) throws Failure {
    String name = ProcessHandle.current().pid() + "." + System.nanoTime();
    load(pid, agent, "?" + word + "," + name);
    String answer = attached(pid, VirtualMachine::getSystemProperties).getProperty(ANSWER + name);
    if (answer == null) {
      throw Failure.other("the agent in the JVM " + pid + " did not answer; its stderr says why");
    }
    return answer;
  }

  /** Loads a library into it, or tells one that is there. */
  public static void loadLibrary(long pid, Path library, String options) throws Failure {
    attached(
        pid,
        jvm -> {
          jvm.loadAgentPath(library.toString(), options);
          return options;
        });
  }

  private static void load(long pid, Path agent, String options) throws Failure {
    attached(
        pid,
        jvm -> {
          jvm.loadAgent(agent.toString(), options);
          return options;
        });
  }
}
