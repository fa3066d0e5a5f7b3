package dev.offcut.agent.publish;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where files of tables are: where somebody asked for them, or where the user's own such are. */
final class TableFolder {
  /** Behind the PID. */
  static final String ENDING = ".tables";

  private static final Path SELF = Path.of("/proc/self");

  /** In memory, for programs that may write to no disk. A reader finds the file, which is open. */
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /** What a killed program left is read within a day, or never. */
  private static final long STALE_MILLIS = 24L * 60 * 60 * 1000;

  private TableFolder() {}

  /**
   * Makes the file of a process: in the folder that somebody asked for; else in the first of the
   * user's own folders that can be written to.
   */
  static TableFile make(@Nullable String asked, long pid) throws IOException {
    String name = pid + ENDING;
    return asked == null
        ? inFirst(folder -> new TableFile(folder.resolve(name), pid))
        : new TableFile(place(asked, name), pid);
  }

  /** What is tried in one of the user's own folders. */
  interface Use<T> {
    T in(Path folder) throws IOException;
  }

  /** What is made in the first of the user's own folders where it can be. */
  static <T> T inFirst(Use<T> use) throws IOException {
    IOException failure = null;
    for (Path folder : users()) {
      try {
        prepare(folder);
        return use.in(folder);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    throw failure == null ? new IOException("no folder can be written to") : failure;
  }

  /** Makes it, or checks that it is the user's own; removes what stale processes left. */
  private static void prepare(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, ownersAlone());
    } catch (FileAlreadyExistsException e) {
      check(folder);
      sweep(folder);
    }
  }

  private static Path place(String folder, String name) throws IOException {
    try {
      return Path.of(folder, name);
    } catch (InvalidPathException e) {
      throw new IOException(e);
    }
  }

  private static FileAttribute<?>[] ownersAlone() {
    boolean posix = Files.isDirectory(SELF);
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  /** The user's own folders, the best first; none may be there yet. */
  private static List<Path> users() throws IOException {
    List<Path> folders = new ArrayList<>();
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    if (runtime != null && !runtime.isEmpty()) {
      folders.add(place(runtime, "offcut"));
    }
    String own = "offcut-" + user();
    folders.add(place(System.getProperty("java.io.tmpdir", "/tmp"), own));
    if (Files.isDirectory(SHARED_MEMORY)) {
      folders.add(SHARED_MEMORY.resolve(own));
    }
    return folders;
  }

  private static Object user() throws IOException {
    return Files.isDirectory(SELF)
        ? Files.getAttribute(SELF, "unix:uid")
        : System.getProperty("user.name", "user");
  }

  /** In a folder that everybody writes to, anybody may have made it first. */
  static void check(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(folder + " is not a folder");
    }
    if (!Files.isDirectory(SELF)) {
      return; // a system whose folder of temporary files is the user's own
    }
    Object owner = Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (!owner.equals(user())) {
      throw new IOException(folder + " belongs to another user");
    }
    Object mode = Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if (((Integer) mode & 077) != 0) {
      throw new IOException(folder + " is open to other users; remove it");
    }
  }

  private static void sweep(Path folder) {
    long stale = System.currentTimeMillis() - STALE_MILLIS;
    try (Stream<Path> files = Files.list(folder)) {
      for (Object file : files.toArray()) {
        String name = String.valueOf(((Path) file).getFileName());
        if (name.matches("[0-9]{1,10}\\.(tables|native|asked|account)")
            && Files.getLastModifiedTime((Path) file).toMillis() < stale
            && ProcessHandle.of(Long.parseLong(name.substring(0, name.indexOf('.')))).isEmpty()) {
          Files.deleteIfExists((Path) file);
        }
      }
    } catch (IOException e) {
      // the next one does it
    }
  }
}
