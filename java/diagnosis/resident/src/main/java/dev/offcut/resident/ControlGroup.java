package dev.offcut.resident;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the system says of the memory and the threads of a process's control group: of version
 * 2, or of the hierarchies of version 1. A group that holds it may limit it, too: the one with the
 * smallest limit is told.
 */
final class ControlGroup {
  private static final String SECOND = "0::";

  /** More than any machine has: version 1 writes no limit so. */
  private static final long NO_LIMIT = 1L << 60;

  private ControlGroup() {}

  /** Null if it is in none but the root, or nobody may look. */
  static Account.@Nullable Container of(Path process) {
    Path root = Path.of(process + "/root/sys/fs/cgroup");
    Account.Container found = null;
    try {
      for (String line : Files.readAllLines(process.resolve("cgroup"), StandardCharsets.UTF_8)) {
        if (line.startsWith(SECOND)) {
          found = found == null ? second(root, line.substring(SECOND.length())) : found;
        } else if (line.contains(":memory:") || line.contains(",memory")) {
          found = first(root.resolve("memory"), line.substring(line.lastIndexOf(':') + 1));
        }
      }
    } catch (IOException | NumberFormatException e) {
      // None is known.
    }
    return found;
  }

  /** Its threads and processes; null if they have no limit, or nobody may look. */
  static @Nullable Bound threads(Path process) {
    Path root = Path.of(process + "/root/sys/fs/cgroup");
    Bound tightest = null;
    try {
      for (String line : Files.readAllLines(process.resolve("cgroup"), StandardCharsets.UTF_8)) {
        boolean isSecond = line.startsWith(SECOND);
        if (!isSecond && !line.contains(":pids:")) {
          continue;
        }
        Path top = isSecond ? root : root.resolve("pids");
        @Nullable Path group = group(top, line.substring(line.lastIndexOf(':') + 1), "pids.max");
        for (; group != null && group.startsWith(top); group = group.getParent()) {
          String most = text(group.resolve("pids.max")).trim();
          long limit = most.isEmpty() || most.equals("max") ? 0 : Long.parseLong(most);
          if (limit > 0 && (tightest == null || limit < tightest.limit())) {
            tightest = new Bound(Bound.Of.THREADS, number(group.resolve("pids.current")), limit);
          }
        }
      }
    } catch (IOException | NumberFormatException e) {
      // None is known.
    }
    return tightest;
  }

  /** Where the process sees the group; in a container that is the root of what it sees. */
  private static Path group(Path root, String path, String file) {
    Path group = root.resolve(path.substring(1));
    return Files.exists(group.resolve(file)) ? group : root;
  }

  private static Account.@Nullable Container second(Path root, String path) throws IOException {
    String used = "memory.current";
    Account.Container tightest = null;
    for (Path group = group(root, path, used);
        group != null && group.startsWith(root) && Files.exists(group.resolve(used));
        group = group.getParent()) {
      String limit = Files.readString(group.resolve("memory.max")).trim();
      long bytes = limit.equals("max") ? -1 : Long.parseLong(limit);
      if (tightest == null || (bytes >= 0 && (tightest.limit() < 0 || bytes < tightest.limit()))) {
        tightest =
            new Account.Container(
                bytes,
                number(group.resolve(used)),
                named(text(group.resolve("memory.stat")), "file"),
                named(text(group.resolve("memory.events")), "oom_kill"));
      }
    }
    return tightest;
  }

  private static Account.@Nullable Container first(Path root, String path) throws IOException {
    String used = "memory.usage_in_bytes";
    Path group = group(root, path, used);
    if (!Files.exists(group.resolve(used))) {
      return null;
    }
    String stat = text(group.resolve("memory.stat"));
    long limit = named(stat, "hierarchical_memory_limit");
    return new Account.Container(
        limit >= NO_LIMIT ? -1 : limit,
        number(group.resolve(used)),
        named(stat, "total_cache"),
        named(text(group.resolve("memory.oom_control")), "oom_kill"));
  }

  private static long number(Path file) throws IOException {
    return Long.parseLong(Files.readString(file).trim());
  }

  /** Lines, each behind the end of another one; none if there is no such file. */
  private static String text(Path file) throws IOException {
    return Files.exists(file) ? "\n" + Files.readString(file) : "";
  }

  /** A number in lines of a name and a number; 0 if it is not there. */
  private static long named(String lines, String name) {
    int line = lines.indexOf("\n" + name + " ");
    if (line < 0) {
      return 0;
    }
    int end = lines.indexOf('\n', line + 1);
    return Long.parseLong(
        lines.substring(line + name.length() + 2, end < 0 ? lines.length() : end).trim());
  }
}
