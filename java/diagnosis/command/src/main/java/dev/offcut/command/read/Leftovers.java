package dev.offcut.command.read;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What commands and programs left that were killed: folders of commands, folders of runs, and
 * tables. Only what has a name that Offcut gives, belongs to this user (root: to any), and is of a
 * process that has ended.
 *
 * <p>Others may write into the folders that are looked through. So nothing is deleted by its path:
 * each file is deleted in a folder that is open, and no link is followed.
 */
public final class Leftovers {
  private static final Pattern COMMAND =
      Pattern.compile(Pattern.quote(Temporary.NAME) + "([0-9]{1,10})(?:-.*)?");
  private static final Pattern RUN =
      Pattern.compile(Pattern.quote(LeftRuns.WORKSPACE) + "([0-9]{1,10})-.*");
  private static final Pattern TABLES = Pattern.compile("([0-9]{1,10})\\.(?:tables|asked|account)");
  private static final Pattern RECORDED = Pattern.compile(".*[_-]([0-9]{1,10})(?:\\.jfr)?");
  private static final Pattern TABLE_FOLDER = Pattern.compile("offcut-[0-9]{1,10}");

  /** An agent writes each second, also in a container, whose PIDs say nothing here. */
  private static final Duration RECENT = Duration.ofSeconds(10);

  /** The system tells to a second when a process began. */
  private static final Duration INACCURACY = Duration.ofSeconds(5);

  private static final int ROOT = 0;

  private Leftovers() {}

  /** One of them: a file, or a folder with all that is in it. */
  public record Leftover(Path path, String what, long bytes, Instant changed) {}

  /** All, the oldest first. */
  public static List<Leftover> all() {
    List<Leftover> all = new ArrayList<>();
    for (Path folder : list(Temporary.base())) {
      if (isLeft(folder, COMMAND)) {
        all.add(leftover(folder, "temporary files of a command"));
      } else if (isLeft(folder, RUN) && !hasProgram(folder)) {
        all.add(leftover(folder, "a run whose command was killed"));
      }
    }
    for (Path folder : tableFolders()) {
      for (Path file : list(folder)) {
        if (isOwn(file) && hasEnded(file)) {
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
          delete(folder);
        } catch (IOException e) {
          // Another command deletes it just now, or `clean` will say what is wrong.
        }
      }
    }
  }

  /** Deletes one of them. */
  public static void delete(Leftover leftover) throws IOException {
    delete(leftover.path());
  }

  private static void delete(Path path) throws IOException {
    try (DirectoryStream<Path> parent =
        Files.newDirectoryStream(path.toAbsolutePath().getParent())) {
      if (parent instanceof SecureDirectoryStream<Path> secure) {
        delete(secure, path.getFileName());
      } else {
        throw new IOException("this system cannot delete a file in a folder that is open");
      }
    }
  }

  private static void delete(SecureDirectoryStream<Path> parent, Path name) throws IOException {
    try {
      BasicFileAttributes kind =
          parent
              .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes();
      if (!kind.isDirectory()) {
        parent.deleteFile(name);
        return;
      }
      try (SecureDirectoryStream<Path> folder =
          parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        for (Path file : folder) {
          delete(folder, file.getFileName());
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      parent.deleteDirectory(name);
    } catch (NoSuchFileException e) {
      // Another command was faster.
    }
  }

  /** Whether it is a folder of a command that has ended. */
  private static boolean isLeft(Path folder, Pattern form) {
    Matcher its = form.matcher(name(folder));
    if (!its.matches() || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) || !isOwn(folder)) {
      return false;
    }
    long pid = Long.parseLong(its.group(1));
    if (pid == ProcessHandle.current().pid()) {
      return false; // to close its file would unlock it
    }
    boolean lives = Jvm.isAlive(pid);
    Path lock = folder.resolve(Temporary.Lock.FILE);
    if (!Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
      return !lives && !isRecent(folder);
    }
    return !isLocked(lock) && (!lives || !isRecent(folder));
  }

  private static boolean isLocked(Path lock) {
    try (FileChannel file =
            FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock taken = file.tryLock()) {
      return taken == null;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException | OverlappingFileLockException e) {
      return true; // nobody knows; or it is this command's
    }
  }

  /**
   * Whether a program of a run lives, whose command was killed: by its tables, the folder of its
   * recorder, or the file of its profiler.
   */
  private static boolean hasProgram(Path run) {
    return list(run.resolve("tables")).stream()
            .anyMatch(file -> TABLES.matcher(name(file)).matches() && !hasEnded(file))
        || Stream.concat(list(run).stream(), list(run.resolve("repository")).stream())
            .map(file -> RECORDED.matcher(name(file)))
            .anyMatch(file -> file.matches() && Jvm.isAlive(Long.parseLong(file.group(1))));
  }

  /**
   * Whether the process has ended that a file of tables is of. Another one may have its PID: it
   * does not have the file open, and began after the file was written last.
   */
  private static boolean hasEnded(Path file) {
    Matcher its = TABLES.matcher(name(file));
    if (!its.matches() || isRecent(file)) {
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

  /** In a folder that everybody writes to, anybody may have made it. */
  private static boolean isOwn(Path file) {
    try {
      Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      return self.equals(ROOT)
          || self.equals(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  /** Where agents publish that were given no folder. */
  private static List<Path> tableFolders() {
    List<Path> folders = new ArrayList<>();
    for (Path parent : List.of(Temporary.base(), Path.of("/dev/shm"))) {
      list(parent).stream()
          .filter(folder -> TABLE_FOLDER.matcher(name(folder)).matches())
          .forEach(folders::add);
    }
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    if (runtime != null && !runtime.isEmpty()) {
      folders.add(Path.of(runtime, "offcut"));
    }
    list(Path.of("/run/user")).forEach(user -> folders.add(user.resolve("offcut")));
    return folders.stream()
        .distinct()
        .filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) && isOwn(folder))
        .toList();
  }

  private static Leftover leftover(Path path, String what) {
    List<Path> files = below(path);
    long bytes = files.stream().mapToLong(file -> file.toFile().length()).sum();
    Instant changed =
        files.stream().map(Leftovers::changed).max(Comparator.naturalOrder()).orElse(changed(path));
    return new Leftover(path, what, bytes, changed);
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static List<Path> list(@Nullable Path folder) {
    if (folder == null) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of(); // it is not there, or is somebody else's
    }
  }

  private static List<Path> below(Path path) {
    try (Stream<Path> files = Files.walk(path)) {
      return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }
}
