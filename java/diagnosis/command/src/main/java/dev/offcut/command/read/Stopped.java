package dev.offcut.command.read;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Why a process does not run, as far as the system tells. */
final class Stopped {
  private static final String CGROUPS = "/sys/fs/cgroup";

  private Stopped() {}

  /** To stand behind "it has not answered": what stopped it and what to do; else a general word. */
  static String sentence(long pid) {
    Path process = Path.of("/proc", String.valueOf(pid));
    if (isStopped(process)) {
      return "; a signal or a debugger stopped it, and `kill -CONT " + pid + "` lets it go on";
    }
    if (isFrozen(process)) {
      return "; its control group is frozen, as `docker pause` does";
    }
    return "; the machine may be overloaded, or the JVM waits for a thread that reaches no safepoint";
  }

  private static boolean isStopped(Path process) {
    String stat = text(process.resolve("stat"));
    int state = stat.lastIndexOf(") ") + 2; // behind the name, which may have anything in it
    return state > 1 && state < stat.length() && "tT".indexOf(stat.charAt(state)) >= 0;
  }

  private static boolean isFrozen(Path process) {
    return text(process.resolve("cgroup"))
        .lines()
        .filter(line -> line.startsWith("0::") || line.contains(":freezer:"))
        .anyMatch(Stopped::isFrozenGroup);
  }

  private static boolean isFrozenGroup(String line) {
    String group = line.substring(line.lastIndexOf(':') + 1);
    return text(Path.of(CGROUPS + group, "cgroup.events")).contains("frozen 1")
        || text(Path.of(CGROUPS + "/freezer" + group, "freezer.state")).startsWith("FROZEN");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
