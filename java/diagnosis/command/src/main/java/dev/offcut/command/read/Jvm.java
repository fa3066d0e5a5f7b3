package dev.offcut.command.read;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.offcut.resident.Conversation;
import dev.offcut.resident.Jcmd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that runs, as its system properties show it. What the agent says of itself stands there, so
 * that looking at a JVM runs no code of ours in it; {@link #load} and {@link #ask} do.
 */
public final class Jvm {
  private static final String ROOT = "root";

  private static final int OLDEST_JAVA = 17;

  private static final String NO_TOOLS = "-XX:+DisableAttachMechanism";

  /** A JVM with one of these runs no program: it writes an archive, and ends. */
  private static final List<String> ARCHIVING = List.of("-Xshare:dump", "-XX:AOTMode=create");

  /**
   * An agent that comes rewrites classes that are loaded: a busy program takes seconds for that.
   */
  private static final Duration LOAD_TIME = Duration.ofSeconds(60);

  /**
   * The JDK waits so many ms until a JVM opens its socket. It has to give up first: it removes the
   * file by which the JVM knows that a tool sent the signal.
   */
  private static final int HANDSHAKE_MILLIS = 9000;

  static {
    System.setProperty("sun.tools.attach.attachTimeout", String.valueOf(HANDSHAKE_MILLIS));
  }

  // The agent's `Presence` sets these in its program.
  private static final String VERSION = "offcut.agent.version";
  private static final String SAID = "offcut.agent.said";
  private static final String REPOSITORY = "offcut.agent.repository";
  private static final String TABLES = "offcut.agent.tables";
  private static final String ANSWER = "offcut.agent.answer.";

  // The same of the retrofit, which has a copy of that class.
  private static final String RETROFIT_VERSION = "offcut.retrofit.version";
  private static final String RETROFIT_SAID = "offcut.retrofit.said";

  private final long pid;
  private final Properties known;

  private Jvm(long pid, Properties known) {
    this.pid = pid;
    this.known = known;
  }

  /** Looks at one. Fails unless there is such a process, it is this user's, and it is a JVM. */
  public static Jvm of(long pid) throws Failure {
    check(pid);
    return new Jvm(pid, asked(pid));
  }

  private static Properties asked(long pid) throws Failure {
    return attached(pid, Conversation.PATIENCE, VirtualMachine::getSystemProperties);
  }

  public static Jvm withAgent(long pid) throws Failure {
    Jvm jvm = of(pid);
    if (jvm.agent() == null) {
      throw Failure.other(
          "the agent is not in the JVM " + pid + "; `offcut attach " + pid + "` puts it there");
    }
    return jvm;
  }

  /** Lets a JVM open the socket on which it is asked, if it lets anybody attach. */
  public static void open(long pid) {
    try {
      if (!Files.exists(Jcmd.socket(pid))) {
        attached(pid, Conversation.PATIENCE, jvm -> pid);
      }
    } catch (Failure | IOException e) {
      // Then it is not asked.
    }
  }

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
   * The file of the agent's tables, which the process has open. Null if no agent is in it that
   * publishes tables, or if this user may not see which files it has open. This asks nobody.
   */
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
    String file = target(link);
    return file.endsWith(Tables.ENDING) ? seen(pid, file) : null;
  }

  /** Empty if it is closed by now. */
  static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "";
    }
  }

  /** Where this process sees a file of another, which may be in a container. */
  private static Path seen(long pid, String file) {
    Path inside = Path.of("/proc", String.valueOf(pid), "root", file);
    return Files.exists(Path.of(file)) || !Files.exists(inside) ? Path.of(file) : inside;
  }

  /** Likewise a file that a program names whose tables are known: perhaps in a container. */
  static Path seen(Path tables, Path file) {
    return tables.startsWith("/proc") && tables.getNameCount() > 3
        ? Path.of("/").resolve(tables.subpath(0, 3)).resolve(Path.of("/").relativize(file))
        : file;
  }

  private static <T> T attached(long pid, Duration patience, Question<T> question) throws Failure {
    String refusal = refusal(pid);
    if (refusal != null) {
      throw Failure.unreachable("the JVM " + pid + " " + refusal);
    }
    if (lacksSocketFolder(pid)) {
      throw Failure.unreachable(
          "the JVM " + pid + " cannot be reached: it has no folder /tmp, where tools talk to it");
    }
    long began = System.nanoTime();
    try {
      return Conversation.hold(pid, patience, () -> ask(pid, question));
    } catch (Conversation.Unanswered e) {
      throw silent(pid, patience);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      boolean waited = cause instanceof AttachNotSupportedException && hasWaited(began);
      throw waited && isAlive(pid) ? unopened(pid) : failed(pid, cause);
    }
  }

  /** Then the signal that asks a JVM for its socket would have it print its threads instead. */
  private static boolean lacksSocketFolder(long pid) {
    try {
      Path folder = Jcmd.socket(pid).getParent();
      return folder != null
          && Files.isDirectory(Path.of("/proc", String.valueOf(pid), "root"))
          && !Files.isDirectory(folder);
    } catch (IOException e) {
      return false; // it has ended
    }
  }

  private static <T> T ask(long pid, Question<T> question) throws Exception {
    long began = System.nanoTime();
    VirtualMachine jvm;
    try {
      jvm = VirtualMachine.attach(String.valueOf(pid));
    } catch (AttachNotSupportedException e) {
      if (hasWaited(began) && isAlive(pid)) {
        createSignalFile(pid); // here, since the JDK has deleted its own by now
      }
      throw e;
    }
    deleteSignalFile(pid); // of a command that it did not answer in time
    try {
      return question.ask(jvm);
    } finally {
      jvm.detach();
    }
  }

  /** Whether the JVM did not open its socket in time. */
  private static boolean hasWaited(long began) {
    return System.nanoTime() - began >= Duration.ofMillis(HANDSHAKE_MILLIS).toNanos();
  }

  /**
   * The JVM was sent a signal, and gets it when it goes on. It would then print the stacks of its
   * threads where its program prints, unless there is the file by which it knows that a tool sent
   * the signal.
   */
  private static void createSignalFile(long pid) {
    try {
      Files.createFile(signalFile(pid));
    } catch (IOException e) {
      // It is there already, or cannot be made, or the process has ended.
    }
  }

  private static void deleteSignalFile(long pid) {
    try {
      Files.deleteIfExists(signalFile(pid));
    } catch (IOException e) {
      // The system hides the program's folders from this user.
    }
  }

  /** By it a JVM knows that a tool sent the signal. The JDK makes one too, and removes it. */
  private static Path signalFile(long pid) throws IOException {
    Path socket = Jcmd.socket(pid);
    String name = String.valueOf(socket.getFileName()).replace(".java_pid", ".attach_pid");
    return socket.resolveSibling(name);
  }

  private static Failure failed(long pid, @Nullable Throwable cause) {
    if (cause instanceof AttachNotSupportedException) {
      return Failure.unreachable(
          "the JVM %s does not allow attaching (%s); start it with `offcut run`"
              .formatted(pid, cause.getMessage()));
    }
    if (cause instanceof AgentLoadException || cause instanceof AgentInitializationException) {
      return notLoaded(pid, String.valueOf(cause.getMessage()));
    }
    if (cause instanceof IOException) {
      String reason = String.valueOf(cause.getMessage());
      return isAlive(pid)
          ? Failure.unreachable(
              "the JVM %s cannot be reached (%s)%s"
                  .formatted(pid, reason, reason.contains("ermi") ? "; run this as its user" : ""))
          : gone(pid);
    }
    throw new IllegalStateException("cannot ask the JVM " + pid, cause);
  }

  /** It was sent a signal, and did not open its socket. */
  private static Failure unopened(long pid) {
    try {
      Path folder = Objects.requireNonNull(signalFile(pid).getParent());
      if (!Files.isWritable(folder)) {
        return Failure.unreachable(
            """
            the JVM %s cannot be reached: it would open a socket for tools in its folder /tmp, \
            which %s; start it with `offcut run`"""
                .formatted(pid, Files.isDirectory(folder) ? "cannot be written" : "is not there"));
      }
    } catch (IOException e) {
      // The process has ended.
    }
    Conversation.noteSilent(pid);
    return silent(pid, Conversation.PATIENCE);
  }

  /** What it is said of a JVM that does not answer. */
  static Failure silent(long pid, Duration waited) {
    return Failure.unanswered(
        "the JVM %s is not responding: it has not answered for %s s%s"
            .formatted(pid, waited.toSeconds(), Stopped.sentence(pid)));
  }

  private static Failure notLoaded(long pid, String reason) {
    return reason.contains("EnableDynamicAgentLoading")
        ? Failure.unreachable(
            "the JVM "
                + pid
                + " loads no agents at run time; start it with `offcut run`, or with"
                + " -XX:+EnableDynamicAgentLoading")
        : Failure.other(
            "the JVM %s could not load the agent (%s); put the jar where its user can read it"
                .formatted(pid, reason));
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
    if (library(pid) == null && !isListed(pid)) {
      throw process.isAlive()
          ? Failure.unreachable(
              "the process " + pid + " is no JVM; `offcut ps` lists those that are")
          : gone(pid);
    }
  }

  private static Failure gone(long pid) {
    return Failure.unreachable("no process has the PID " + pid + "; `offcut ps` lists the JVMs");
  }

  /** Where the system does not tell which libraries a process has. */
  private static boolean isListed(long pid) {
    return VirtualMachine.list().stream().anyMatch(jvm -> jvm.id().equals(String.valueOf(pid)));
  }

  /** The file of the JVM in a process; null if there is none. */
  static @Nullable String library(long pid) {
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

  public static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  public @Nullable String agent() {
    return known.getProperty(VERSION);
  }

  public @Nullable String retrofit() {
    return known.getProperty(RETROFIT_VERSION);
  }

  /** What the retrofit and the agent said on the program's stderr, by lines. */
  public List<String> said() {
    return Stream.of(RETROFIT_SAID, SAID)
        .flatMap(property -> known.getProperty(property, "").lines())
        .toList();
  }

  public String main() {
    return main(known.getProperty("sun.java.command", ""));
  }

  /** The first word, without what a terminal would obey. */
  static String main(String commandLine) {
    int space = commandLine.indexOf(' ');
    String name = space < 0 ? commandLine : commandLine.substring(0, space);
    String printable = name.replaceAll("\\p{Cntrl}", "?");
    return printable.isEmpty() ? "unknown" : printable;
  }

  public String java() {
    return known.getProperty("java.version", "?");
  }

  /** The file of its agent's tables, also that of a container; null if there is none yet. */
  public @Nullable Path tables() {
    String file = known.getProperty(TABLES);
    return file == null ? null : seen(pid, file);
  }

  public boolean records() {
    return known.getProperty(REPOSITORY) != null;
  }

  /** Its folder for temporary files, also that of a container. */
  public Path temporary() {
    return seen(pid, known.getProperty("java.io.tmpdir", "/tmp"));
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

  public void loadRetrofit(Path retrofit, String options) throws Failure {
    load(pid, retrofit, options);
  }

  /**
   * Asks the agent that is in it for {@code record}: its jar is loaded again with the request for
   * options, and leaves its answer in a system property, by which no file is written that another
   * user could not read.
   */
  public String ask(Path agent, String word) throws Failure {
    String name = ProcessHandle.current().pid() + "." + System.nanoTime();
    load(pid, agent, "?" + word + "," + name);
    String answer = asked(pid).getProperty(ANSWER + name);
    if (answer == null) {
      throw Failure.other("the agent in the JVM " + pid + " did not answer; its stderr says why");
    }
    return answer;
  }

  private static void load(long pid, Path agent, String options) throws Failure {
    attached(
        pid,
        LOAD_TIME,
        jvm -> {
          jvm.loadAgent(agent.toString(), options);
          return options;
        });
  }
}
