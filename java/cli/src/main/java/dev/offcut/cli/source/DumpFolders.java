package dev.offcut.cli.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Folders of heap dumps among temporary files, named after the command that reads the dump. A
 * command that was killed could not delete its own. The next one does: a dump is large, and has the
 * program's data.
 */
final class DumpFolders {
  private static final String NAME = "offcut-heap-";
  private static final Pattern ITS = Pattern.compile(NAME + "([0-9]{1,10})-.*");

  /**
   * In a container of its own, a command may have a PID that nobody has here. What changed so
   * recently may be its dump.
   */
  private static final Duration RECENT = Duration.ofMinutes(10);

  private DumpFolders() {}

  /** Makes one, and deletes what others left. */
  static Path make(Path temporary, FileAttribute<?>... attributes) throws IOException {
    String name = NAME + ProcessHandle.current().pid() + "-";
    Path made = Files.createTempDirectory(temporary, name, attributes);
    deleteLeft(temporary, Files.getOwner(made));
    return made;
  }

  /** Only what belongs to this user: nobody else can have put links to other files into it. */
  private static void deleteLeft(Path temporary, UserPrincipal user) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(temporary, NAME + "*")) {
      for (Path folder : all) {
        if (isLeft(folder, user)) {
          delete(folder);
        }
      }
    } catch (IOException | DirectoryIteratorException | UncheckedIOException e) {
      // Another command deletes it just now, or the next one will.
    }
  }

  private static boolean isLeft(Path folder, UserPrincipal user) throws IOException {
    Matcher its = ITS.matcher(String.valueOf(folder.getFileName()));
    return its.matches()
        && !Jvm.isAlive(Long.parseLong(its.group(1)))
        && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(user)
        && isOld(folder);
  }

  private static boolean isOld(Path folder) throws IOException {
    Instant recent = Instant.now().minus(RECENT);
    for (Path file : files(folder)) {
      if (Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant().isAfter(recent)) {
        return false;
      }
    }
    return true;
  }

  /** Deletes a folder with all that is in it. */
  static void delete(Path folder) throws IOException {
    for (Path file : files(folder)) {
      Files.deleteIfExists(file);
    }
  }

  /** The folder is the last. */
  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
