package dev.offcut.command.read;

import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The JVMs that run. */
public final class JvmList {
  /**
   * In the file {@code release} of a JDK, where JAVA_RUNTIME_VERSION comes first and says what
   * {@code java.version} says, and more. A runtime that jlink made has JAVA_VERSION alone.
   */
  private static final Pattern RELEASE = Pattern.compile("JAVA(?:_RUNTIME)?_VERSION=\"([^\"+]+).*");

  /** How long {@link #all} waits for all of them: one that is stopped may never answer. */
  private static final Duration ANSWER_TIME = Duration.ofSeconds(5);

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

  private JvmList() {}

  /**
   * The JVMs of this user that publish counters, but for this one, by their PIDs. It attaches to
   * those that have a file of the agent open, each on its own thread. It leaves the others alone:
   * one with a full heap would tell its program's stdout that it cannot answer.
   */
  public static List<Listed> all() {
    Map<Long, FutureTask<Jvm>> asked = new LinkedHashMap<>();
    List<Listed> all = new ArrayList<>();
    Map<Long, String> commands = commands();
    for (Map.Entry<Long, String> jvm : commands.entrySet()) {
      long pid = jvm.getKey();
      String java = isWithAgent(pid) ? null : installed(pid);
      if (java != null) {
        all.add(new Listed(pid, java, null, false, Jvm.main(jvm.getValue())));
        continue;
      }
      FutureTask<Jvm> task = new FutureTask<>(() -> Jvm.of(pid));
      Thread thread = new Thread(task, "offcut asks " + pid);
      thread.setDaemon(true);
      thread.start();
      asked.put(pid, task);
    }
    long until = System.nanoTime() + ANSWER_TIME.toNanos();
    asked.forEach(
        (pid, answer) -> add(all, pid, Jvm.main(commands.getOrDefault(pid, "")), answer, until));
    all.sort(Comparator.comparingLong(Listed::pid));
    return all;
  }

  /** What the other JVMs run to which tools may attach. */
  private static Map<Long, String> commands() {
    Map<Long, String> commands = new LinkedHashMap<>();
    for (VirtualMachineDescriptor jvm : VirtualMachine.list()) {
      commands.put(Long.parseLong(jvm.id()), jvm.displayName());
    }
    commands.remove(ProcessHandle.current().pid());
    return commands;
  }

  /** Whether it has the agent's jar or tables open. Also true if its open files cannot be seen. */
  private static boolean isWithAgent(long pid) {
    try (Stream<Path> files = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
      return files.anyMatch(JvmList::isAgents);
    } catch (IOException | UncheckedIOException e) {
      return true;
    }
  }

  private static boolean isAgents(Path link) {
    String file = Jvm.target(link);
    String name = file.substring(file.lastIndexOf('/') + 1);
    return name.contains(Tables.ENDING) || name.contains("offcut-agent");
  }

  /** The version of the JDK that its library belongs to; null if that does not say. */
  private static @Nullable String installed(long pid) {
    String library = Jvm.library(pid);
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
      if (Jvm.isAlive(pid)) {
        all.add(new Listed(pid, null, null, false, main));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
