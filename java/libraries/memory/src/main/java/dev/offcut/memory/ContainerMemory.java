package dev.offcut.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much memory the control groups of this process have left: its own group and those above it,
 * of version 2, or of version 1's hierarchy for memory. The group with the least room counts.
 *
 * <pre>
 *   room of a group = limit - (usage - page cache that the kernel can drop)
 *   limit           = the smaller of memory.max and memory.high; memory.limit_in_bytes
 *   page cache      = active_file + inactive_file: without tmpfs and shared memory, which only swap
 *                     could make room for, and without locked pages
 * </pre>
 *
 * <p>The groups are found once: a process that is moved to another group later is counted in the
 * old one. Limits are read each time, since they may change. {@code java/diagnosis/resident} has a
 * reader of its own, for the groups of other processes; this module depends on no other one but
 * handles, so it cannot use that one.
 *
 * <p>For one thread at a time.
 */
final class ContainerMemory {
  /** Larger than any machine: version 1 writes no limit so. */
  private static final long NO_LIMIT = 1L << 60;

  private static final Path PROCESS = Path.of("/proc/self/cgroup");
  private static final Path MOUNTED = Path.of("/sys/fs/cgroup");

  /** The files of one group, by path: opened by each read. */
  private static final class Group {
    final boolean isSecond;
    final Path limit;
    final Path high;
    final Path used;
    final Path stat;

    Group(Path folder, boolean isSecond) {
      this.isSecond = isSecond;
      limit = folder.resolve(isSecond ? "memory.max" : "memory.limit_in_bytes");
      high = folder.resolve("memory.high");
      used = folder.resolve(isSecond ? "memory.current" : "memory.usage_in_bytes");
      stat = folder.resolve("memory.stat");
    }
  }

  private final List<Group> groups;

  /** The limit of the group with the least room; valid after a read. */
  long limitBytes;

  String limitFile = "";

  /** What the processes of this group use, without page cache that can be dropped. */
  long usedBytes;

  private ContainerMemory(List<Group> groups) {
    this.groups = groups;
  }

  static ContainerMemory ofThisProcess() {
    return of(PROCESS, MOUNTED);
  }

  /**
   * Finds the groups.
   *
   * @param process the file that names them
   * @param mounted where they are mounted
   * @throws UnsupportedOperationException if none is found or none has a limit
   */
  static ContainerMemory of(Path process, Path mounted) {
    List<Group> groups = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(process, StandardCharsets.UTF_8)) {
        String path = line.substring(line.lastIndexOf(':') + 1);
        String kinds = line.substring(line.indexOf(':') + 1, line.length() - path.length() - 1);
        if (line.startsWith("0::")) {
          addAll(groups, mounted, path, true);
        } else if (("," + kinds + ",").contains(",memory,")) {
          addAll(groups, mounted.resolve("memory"), path, false);
        }
      }
    } catch (IOException e) {
      throw none("cannot read " + process + " (" + e.getMessage() + ")", e);
    }
    if (groups.isEmpty()) {
      throw none("finds no control group for memory in " + mounted, null);
    }
    ContainerMemory memory = new ContainerMemory(groups);
    try {
      if (!memory.read()) {
        throw none("finds no limit in " + groups.getFirst().limit + " or in a group above", null);
      }
    } catch (IOException e) {
      throw none("cannot read " + groups.getFirst().limit + " (" + e.getMessage() + ")", e);
    }
    return memory;
  }

  private static UnsupportedOperationException none(String what, @Nullable Throwable cause) {
    return new UnsupportedOperationException(
        "a budget of the container "
            + what
            + "; start the container with a memory limit, or use Budget.ofBytes",
        cause);
  }

  /** The group and those above, as far as they are seen; in a container often the root alone. */
  private static void addAll(List<Group> groups, Path root, String path, boolean isSecond) {
    String used = isSecond ? "memory.current" : "memory.usage_in_bytes";
    Path own = root.resolve(path.startsWith("/") ? path.substring(1) : path).normalize();
    Path folder = Files.exists(own.resolve(used)) ? own : root;
    while (folder != null && folder.startsWith(root) && Files.exists(folder.resolve(used))) {
      groups.add(new Group(folder, isSecond));
      folder = folder.getParent();
    }
  }

  /** Reads limits and usage; false if no group has a limit. What was read before is lost. */
  boolean read() throws IOException {
    long leastRoom = Long.MAX_VALUE;
    for (Group group : groups) {
      long limit = readNumber(group.limit);
      Path from = group.limit;
      if (group.isSecond) {
        long high = readNumber(group.high);
        from = high < limit ? group.high : from;
        limit = Math.min(limit, high);
      }
      if (limit < NO_LIMIT) {
        long used = readNumber(group.used);
        used -= Math.min(used, readCache(group));
        if (limit - used < leastRoom) {
          leastRoom = limit - used;
          limitBytes = limit;
          limitFile = from.toString();
          usedBytes = used;
        }
      }
    }
    return leastRoom < Long.MAX_VALUE;
  }

  private static long readCache(Group group) throws IOException {
    String prefix = group.isSecond ? "" : "total_";
    long cache = 0;
    for (String line : Files.readAllLines(group.stat)) {
      if (line.startsWith(prefix + "active_file ") || line.startsWith(prefix + "inactive_file ")) {
        cache += number(line.substring(line.indexOf(' ') + 1), group.stat);
      }
    }
    return cache;
  }

  private static long readNumber(Path file) throws IOException {
    return number(Files.readString(file).strip(), file);
  }

  /** A number; "max" and what no long holds is none. */
  private static long number(String text, Path file) throws IOException {
    if (text.equals("max") || text.length() > 18) {
      return NO_LIMIT;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IOException("no number in " + file, e);
    }
  }
}
