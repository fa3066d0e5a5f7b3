package dev.offcut.account;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads what the system says of a process's control group, of version 2. */
final class ControlGroup {
  private ControlGroup() {}

  /** Null if it is in none but the root, or nobody may look. */
  static Account.@Nullable Container of(Path process) {
    try {
      for (String line : Files.readAllLines(process.resolve("cgroup"), StandardCharsets.UTF_8)) {
        if (line.startsWith("0::/")) {
          // As the process sees it, and so where it sees it.
          Path root = Path.of(process + "/root/sys/fs/cgroup");
          Path group = root.resolve(line.substring("0::/".length()));
          return read(Files.exists(group.resolve("memory.current")) ? group : root);
        }
      }
    } catch (IOException | NumberFormatException e) {
      // None is known.
    }
    return null;
  }

  private static Account.@Nullable Container read(Path group) throws IOException {
    Path current = group.resolve("memory.current");
    if (!Files.exists(current)) {
      return null;
    }
    String limit = Files.readString(group.resolve("memory.max")).trim();
    long pageCache = 0;
    for (String line : Files.readAllLines(group.resolve("memory.stat"))) {
      if (line.startsWith("file ")) {
        pageCache = Long.parseLong(line.substring("file ".length()).trim());
      }
    }
    return new Account.Container(
        limit.equals("max") ? -1 : Long.parseLong(limit),
        Long.parseLong(Files.readString(current).trim()),
        pageCache);
  }
}
