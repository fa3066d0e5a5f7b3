package dev.offcut.memory;

import java.io.FileInputStream;
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
 * <p>A read needs little Java heap, and initializes no class after the first one. For one thread at
 * a time.
 */
final class ContainerMemory {
  /** Larger than any machine: version 1 writes no limit so. */
  private static final long NO_LIMIT = 1L << 60;

  private static final Path PROCESS = Path.of("/proc/self/cgroup");
  private static final Path MOUNTED = Path.of("/sys/fs/cgroup");

  /** The files of one group, by path: opened by each read. */
  private static final class Group {
    final boolean isSecond;
    final String limit;
    final String high;
    final String used;
    final String stat;

    Group(Path folder, boolean isSecond) {
      this.isSecond = isSecond;
      limit = folder.resolve(isSecond ? "memory.max" : "memory.limit_in_bytes").toString();
      high = folder.resolve("memory.high").toString();
      used = folder.resolve(isSecond ? "memory.current" : "memory.usage_in_bytes").toString();
      stat = folder.resolve("memory.stat").toString();
    }
  }

  private final List<Group> groups;
  private final byte[] text = new byte[16 << 10];
  private int length;

  /** The limit of the group with the least room; valid after a read. */
  long limitBytes;

  /** The file with this limit. */
  String limitFile = "";

  /** What the processes of this group use, without page cache that can be dropped. */
  long usedBytes;

  private ContainerMemory(List<Group> groups) {
    this.groups = groups;
  }

  /** That of this process. */
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
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      long limit = readNumber(group.limit);
      String from = group.limit;
      if (group.isSecond) {
        long high = readNumber(group.high);
        from = high < limit ? group.high : from;
        limit = Math.min(limit, high);
      }
      if (limit < NO_LIMIT) {
        long used = readNumber(group.used);
        load(group.stat);
        String prefix = group.isSecond ? "" : "total_";
        long cache = named(prefix, "active_file ") + named(prefix, "inactive_file ");
        used -= Math.min(used, cache);
        if (limit - used < leastRoom) {
          leastRoom = limit - used;
          limitBytes = limit;
          limitFile = from;
          usedBytes = used;
        }
      }
    }
    return leastRoom < Long.MAX_VALUE;
  }

  private void load(String file) throws IOException {
    try (FileInputStream in = new FileInputStream(file)) {
      length = 0;
      for (int read = 0; read >= 0 && length < text.length; ) {
        read = in.read(text, length, text.length - length);
        length += Math.max(read, 0);
      }
    }
  }

  /** The number that a file has; "max" is none. */
  private long readNumber(String file) throws IOException {
    load(file);
    if (length > 0 && text[0] == 'm') {
      return NO_LIMIT;
    }
    return number(0, file);
  }

  /** The number at a place of the text. */
  private long number(int from, String file) throws IOException {
    long number = 0;
    int at = from;
    for (; at < length && text[at] >= '0' && text[at] <= '9'; at++) {
      number = number > NO_LIMIT ? number : number * 10 + (text[at] - '0');
    }
    if (at == from) {
      throw new IOException("no number in " + file);
    }
    return number;
  }

  /** The number behind a name at the beginning of a line; 0 if there is no such line. */
  private long named(String prefix, String name) throws IOException {
    for (int line = 0; line < length; ) {
      int at = line;
      if (matches(at, prefix) && matches(at + prefix.length(), name)) {
        return number(at + prefix.length() + name.length(), name);
      }
      while (line < length && text[line] != '\n') {
        line++;
      }
      line++;
    }
    return 0;
  }

  private boolean matches(int at, String word) {
    if (at + word.length() > length) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (text[at + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
