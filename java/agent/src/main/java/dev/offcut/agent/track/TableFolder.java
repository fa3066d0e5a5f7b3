package dev.offcut.agent.track;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where files of tables are: where somebody asked for them, or where the user's own such are. */
final class TableFolder {
  /** Behind the PID. */
  static final String ENDING = ".tables";

  private static final Path SELF = Path.of("/proc/self");

  /** What a killed program left is read within a day, or never. */
  private static final long STALE_MILLIS = 24L * 60 * 60 * 1000;

  private TableFolder() {}

  /** The folder, which is there. */
  static Path of(@Nullable String asked) throws IOException {
    try {
      if (asked != null) {
        return Path.of(asked);
      }
      Path folder = users();
      try {
        Files.createDirectory(folder, ownersAlone());
      } catch (FileAlreadyExistsException e) {
        check(folder);
        sweep(folder);
      }
      return folder;
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

  private static Path users() throws IOException {
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    if (runtime != null && !runtime.isEmpty() && Files.isWritable(Path.of(runtime))) {
      return Path.of(runtime, "offcut");
    }
    return Path.of(System.getProperty("java.io.tmpdir", "/tmp"), "offcut-" + user());
  }

  private static Object user() throws IOException {
    return Files.isDirectory(SELF)
        ? Files.getAttribute(SELF, "unix:uid")
        : System.getProperty("user.name", "user");
  }

  /** In a folder that everybody writes to, anybody may have made it first. */
  static void check(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(folder + " is no folder");
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
        if (name.matches("[0-9]{1,10}\\.(tables|asked|account)")
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
