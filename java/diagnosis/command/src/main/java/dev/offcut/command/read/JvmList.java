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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
    List<Map.Entry<Long, String>> jvms = List.copyOf(commands().entrySet());
    List<Callable<Listed>> questions =
        jvms.stream()
            .map(jvm -> (Callable<Listed>) () -> look(jvm.getKey(), Jvm.main(jvm.getValue())))
            .toList();
    List<Listed> all = new ArrayList<>();
    try {
      List<Future<Listed>> answers =
          Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory())
              .invokeAll(questions, ANSWER_TIME.toSeconds(), TimeUnit.SECONDS);
      for (int i = 0; i < jvms.size(); i++) {
        long pid = jvms.get(i).getKey();
        if (answers.get(i).state() == Future.State.SUCCESS) {
          all.add(answers.get(i).resultNow());
        } else if (Jvm.isAlive(pid)) { // else it is gone by now
          all.add(new Listed(pid, null, null, false, Jvm.main(jvms.get(i).getValue())));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return all;
  }

  private static Listed look(long pid, String main) throws Failure {
    String java = isWithAgent(pid) ? null : installed(pid);
    if (java != null) {
      return new Listed(pid, java, null, false, main);
    }
    Jvm jvm = Jvm.of(pid);
    return new Listed(pid, jvm.java(), jvm.agent(), jvm.records(), main);
  }

  /** What the other JVMs run to which tools may attach. */
  private static Map<Long, String> commands() {
    Map<Long, String> commands = new TreeMap<>();
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
}
