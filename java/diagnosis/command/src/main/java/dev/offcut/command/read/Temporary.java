package dev.offcut.command.read;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder for all that this command needs only while it runs: heap dumps, copies of damaged
 * recordings, libraries that are unpacked. Its name has the PID of the command, and as long as the
 * command lives it has the {@linkplain Lock lock} of the folder. The folder is deleted at the
 * command's end. If the command is killed, the next one deletes it.
 *
 * <p>DuckDB unpacks its library into the JVM's own folder for temporary files, which is fixed when
 * the JVM starts. So the launcher makes the folder for a command with DuckDB, and starts the JVM
 * with it.
 */
public final class Temporary {
  /** What its name begins with; then comes the PID, and perhaps a dash and a number. */
  static final String NAME = "offcut-tmp-";

  private static @Nullable Path own;

  private Temporary() {}

  /** Takes over the launcher's folder, if there is one, and deletes what killed commands left. */
  public static void begin() {
    try {
      if (isLaunchers(given())) {
        folder();
      }
    } catch (IOException e) {
      // Then the next command deletes it.
    }
    Leftovers.deleteCommands(base());
  }

  /** The folder in which commands and runs have theirs. */
  public static Path base() {
    Path given = given();
    Path parent = given.getParent();
    return isLaunchers(given) && parent != null ? parent : given;
  }

  private static Path given() {
    return Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
  }

  private static boolean isLaunchers(Path folder) {
    return String.valueOf(folder.getFileName()).equals(NAME + ProcessHandle.current().pid());
  }

  /** That of this command. It is there, and only this user can read it. */
  public static synchronized Path folder() throws IOException {
    Path known = own;
    if (known == null) {
      Path given = given();
      known = isLaunchers(given) ? given : create(given, NAME);
      Path made = known;
      Lock lock = Lock.of(made);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(made, lock)));
      own = known;
    }
    return known;
  }

  /** The lock goes last: before, another command would delete the folder, too. */
  private static void end(Path folder, Lock lock) {
    try {
      delete(folder);
    } catch (IOException e) {
      // The next command deletes it.
    }
    lock.close();
  }

  /** Makes a folder, for this user alone. */
  public static Path create(Path parent, String name) throws IOException {
    return Files.createTempDirectory(parent, name + ProcessHandle.current().pid() + "-");
  }

  /** Deletes a file, or a folder with all that is in it. Only this user may write there. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * By it others know that the command lives whose folder it is. A PID alone does not tell: it may
   * be of a container, or another process may have it by now. The system unlocks it when the
   * command ends, however it ends.
   */
  public static final class Lock implements AutoCloseable {
    static final String FILE = "lock";

    private final @Nullable FileChannel file;

    private Lock(@Nullable FileChannel file) {
      this.file = file;
    }

    /** Locks a folder that was just made. Where that is impossible, others go by the PID. */
    public static Lock of(Path folder) throws IOException {
      Path made = folder.resolve(FILE + ".new");
      FileChannel file =
          FileChannel.open(made, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        FileLock lock = file.tryLock();
        if (lock != null) {
          Files.move(made, folder.resolve(FILE)); // it is never there without being locked
          return new Lock(file);
        }
      } catch (IOException e) {
        // a file system without locks
      }
      file.close();
      Files.deleteIfExists(made);
      return new Lock(null);
    }

    @Override
    public void close() {
      try {
        if (file != null) {
          file.close();
        }
      } catch (IOException e) {
        // It goes with this process.
      }
    }
  }
}
