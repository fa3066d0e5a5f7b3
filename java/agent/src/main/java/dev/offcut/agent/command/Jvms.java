package dev.offcut.agent.command;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import dev.offcut.agent.Columns;
import dev.offcut.agent.Presence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The JVMs of this user: those that are listed in the folder for temporary files, and let
 * themselves be attached to. Each is asked on a thread of its own, since one that is stopped may
 * never answer.
 */
final class Jvms {
  private static final long ANSWER_SECONDS = 5;

  private Jvms() {}

  /** A table; none if there is no JVM but this one. */
  static List<String> list() {
    Map<VirtualMachineDescriptor, FutureTask<Properties>> asked = new LinkedHashMap<>();
    for (VirtualMachineDescriptor jvm : VirtualMachine.list()) {
      if (!jvm.id().equals(String.valueOf(ProcessHandle.current().pid()))) {
        asked.put(jvm, ask(jvm));
      }
    }
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
    List<List<String>> rows = new ArrayList<>();
    asked.forEach((jvm, answer) -> addRow(rows, jvm, answer, until));
    if (rows.isEmpty()) {
      return List.of();
    }
    Columns table = new Columns();
    table.add(List.of("PID", "JAVA", "AGENT", "PROGRAM"));
    rows.forEach(table::add);
    return table.lines();
  }

  private static FutureTask<Properties> ask(VirtualMachineDescriptor jvm) {
    FutureTask<Properties> task = new FutureTask<>(() -> properties(jvm));
    Thread thread = new Thread(task, "offcut asks " + jvm.id());
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static Properties properties(VirtualMachineDescriptor jvm)
      throws AttachNotSupportedException, IOException {
    VirtualMachine attached = VirtualMachine.attach(jvm);
    try {
      return attached.getSystemProperties();
    } finally {
      attached.detach();
    }
  }

  /** A JVM that is gone by now has no row. */
  private static void addRow(
      List<List<String>> rows,
      VirtualMachineDescriptor jvm,
      FutureTask<Properties> answer,
      long until) {
    String program = Target.program(jvm.displayName());
    try {
      Properties known = answer.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      rows.add(
          List.of(
              jvm.id(),
              known.getProperty("java.version", "?"),
              known.getProperty(Presence.VERSION, "-"),
              program));
    } catch (TimeoutException e) {
      rows.add(List.of(jvm.id(), "?", "no answer", program));
    } catch (ExecutionException e) {
      if (Target.isAlive(jvm.id())) {
        rows.add(List.of(jvm.id(), "?", "unreachable", program));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
