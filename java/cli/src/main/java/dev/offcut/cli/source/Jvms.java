package dev.offcut.cli.source;

import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
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
import org.jspecify.annotations.Nullable;

/**
 * The JVMs of this user that let themselves be attached to. Each is asked on a thread of its own,
 * since one that is stopped may never answer.
 */
public final class Jvms {
  private static final Duration ANSWER = Duration.ofSeconds(5);

  /**
   * One of them.
   *
   * @param java null if it did not answer
   * @param agent null without one
   * @param records whether its agent records
   * @param main without its arguments
   */
  public record Listed(
      long pid, @Nullable String java, @Nullable String agent, boolean records, String main) {}

  private Jvms() {}

  /** All but this one, by their PIDs. */
  public static List<Listed> list() {
    Map<VirtualMachineDescriptor, FutureTask<Jvm>> asked = new LinkedHashMap<>();
    for (VirtualMachineDescriptor jvm : VirtualMachine.list()) {
      if (!jvm.id().equals(String.valueOf(ProcessHandle.current().pid()))) {
        FutureTask<Jvm> task = new FutureTask<>(() -> Jvm.of(Long.parseLong(jvm.id())));
        Thread thread = new Thread(task, "offcut asks " + jvm.id());
        thread.setDaemon(true);
        thread.start();
        asked.put(jvm, task);
      }
    }
    long until = System.nanoTime() + ANSWER.toNanos();
    List<Listed> all = new ArrayList<>();
    asked.forEach((jvm, answer) -> add(all, jvm, answer, until));
    all.sort(Comparator.comparingLong(Listed::pid));
    return all;
  }

  /** One that is gone by now is left out. */
  private static void add(
      List<Listed> all, VirtualMachineDescriptor listed, FutureTask<Jvm> answer, long until) {
    long pid = Long.parseLong(listed.id());
    String main = main(listed.displayName());
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

  /** The first word, without what a terminal would obey. */
  private static String main(String commandLine) {
    int space = commandLine.indexOf(' ');
    String name = space < 0 ? commandLine : commandLine.substring(0, space);
    String printable = name.replaceAll("\\p{Cntrl}", "?");
    return printable.isEmpty() ? "unknown" : printable;
  }
}
