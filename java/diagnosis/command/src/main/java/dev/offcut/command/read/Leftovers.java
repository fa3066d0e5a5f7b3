package dev.offcut.command.read;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What commands and programs left that were killed: folders of commands, folders of runs, and
 * tables. Only what has a name that Offcut gives, belongs to this user, and is of a process that
 * has ended.
 */
public final class Leftovers {
  private static final Pattern COMMAND =
      Pattern.compile(Pattern.quote(Temporary.NAME) + "([0-9]{1,10})(?:-.*)?");
  private static final Pattern TABLES =
      Pattern.compile("([0-9]{1,10})\\.(?:tables|native|asked|account)");

  /** An agent writes each second, also in a container, whose PIDs say nothing here. */
  private static final Duration RECENT = Duration.ofSeconds(10);

  /** The system tells to a second when a process began. */
  private static final Duration INACCURACY = Duration.ofSeconds(5);

  private Leftovers() {}

  /** One of them: a file, or a folder with all that is in it. */
  public record Leftover(Path path, String what, long bytes, Instant changed) {}

  /** All, the oldest first. */
  public static List<Leftover> all() {
    List<Leftover> all = new ArrayList<>();
    for (Path folder : list(Temporary.base())) {
      if (isLeft(folder, COMMAND)) {
        all.add(leftover(folder, "temporary files of a command"));
      } else if (isLeft(folder, LeftRuns.FOLDER)
          && list(folder.resolve("tables")).stream().allMatch(Leftovers::hasEnded)) {
        all.add(leftover(folder, "a run whose command was killed"));
      }
    }
    for (Path folder : tableFolders()) {
      for (Path file : list(folder)) {
        if (TABLES.matcher(name(file)).matches() && hasEnded(file)) {
          all.add(leftover(file, "tables of a program"));
        }
      }
    }
    all.sort(Comparator.comparing(Leftover::changed));
    return all;
  }

  /** Deletes the folders of commands; they have nothing that anybody would read. */
  static void deleteCommands(Path base) {
    for (Path folder : list(base)) {
      if (isLeft(folder, COMMAND)) {
        try {
          Temporary.delete(folder);
        } catch (IOException e) {
          // Another command deletes it just now, or `clean` will say what is wrong.
        }
      }
    }
  }

  /** Whether it is a folder of a command that has ended: nobody has its lock. */
  private static boolean isLeft(Path folder, Pattern form) {
    Matcher its = form.matcher(name(folder));
    if (!its.matches() || !isOwn(folder)) {
      return false;
    }
    long pid = Long.parseLong(its.group(1));
    if (pid == ProcessHandle.current().pid()) {
      return false; // to close its file would unlock it
    }
    Path lock = folder.resolve(Temporary.Lock.FILE);
    return Files.exists(lock, LinkOption.NOFOLLOW_LINKS)
        ? !isLocked(lock)
        : !Jvm.isAlive(pid) && !isRecent(folder);
  }

  private static boolean isLocked(Path lock) {
    try (FileChannel file =
            FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock taken = file.tryLock()) {
      return taken == null;
    } catch (IOException e) {
      return true; // nobody knows
    }
  }

  /**
   * Whether the process has ended whose PID begins a file's name. Another one may have its PID: it
   * does not have the file open, and began after the file was written last.
   */
  private static boolean hasEnded(Path file) {
    Matcher its = TABLES.matcher(name(file));
    if (!its.matches()) {
      return true;
    }
    if (isRecent(file)) {
      return false;
    }
    long pid = Long.parseLong(its.group(1));
    ProcessHandle process = ProcessHandle.of(pid).orElse(null);
    if (process == null || !process.isAlive()) {
      return true;
    }
    Instant began = process.info().startInstant().orElse(Instant.EPOCH);
    return Jvm.openTables(pid) == null && began.isAfter(changed(file).plus(INACCURACY));
  }

  private static boolean isRecent(Path file) {
    return changed(file).isAfter(Instant.now().minus(RECENT));
  }

  private static Instant changed(Path file) {
    try {
      return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
    } catch (IOException e) {
      return Instant.EPOCH;
    }
  }

  private static Leftover leftover(Path path, String what) {
    List<Path> files = below(path);
    long bytes = files.stream().mapToLong(file -> file.toFile().length()).sum();
    Instant changed =
        files.stream().map(Leftovers::changed).max(Comparator.naturalOrder()).orElse(changed(path));
    return new Leftover(path, what, bytes, changed);
  }

  /** Where agents publish that were given no folder: those of this user. */
  static List<Path> tableFolders() {
    List<Path> folders = new ArrayList<>();
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    if (runtime != null && !runtime.isEmpty()) {
      folders.add(Path.of(runtime, "offcut"));
    }
    folders.add(Temporary.base().resolve("offcut-" + user()));
    return folders.stream().filter(Leftovers::isOwn).toList();
  }

  /** The user's number; on a system that does not tell, the name. */
  private static Object user() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return System.getProperty("user.name", "user");
    }
  }

  /** Whether it is a folder of this user's: where everybody writes, anybody may have made it. */
  static boolean isOwn(Path folder) {
    try {
      Object user = user();
      return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
          && (!(user instanceof Integer)
              || user.equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS)));
    } catch (IOException e) {
      return false;
    }
  }

  static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** What lies in a folder, by name. */
  public static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of(); // it is not there, or is somebody else's
    }
  }

  /** All files below a folder, or the file that it is. */
  static List<Path> below(Path path) {
    try (Stream<Path> files = Files.walk(path)) {
      return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }
}
