package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Copies of files of an object store, in a folder of this user. A file of a fleet never changes, so
 * a copy is as good as the file for as long as both have the same size and time. Several programs
 * may use the folder.
 */
final class Copies {
  /** Requests take longer to be answered than to be made. */
  private static final int AT_ONCE = 16;

  /**
   * A copy that no list of the store has is deleted if the file is older: a list that was made
   * before the file was there has no say.
   */
  private static final long YOUNG_MS = 24 * 3600_000L;

  private static final String NAME = "offcut";

  private final Path folder;

  /** In the folder that is for such things. */
  Copies(String url) throws Failure {
    String cache = System.getenv("XDG_CACHE_HOME");
    folder =
        (cache == null || cache.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(cache))
            .resolve(NAME)
            .resolve("fleet-" + new Hash().add(url).digits(Hash.SHORT_DIGITS));
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(folder);
        if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
          Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
      }
    } catch (IOException e) {
      throw Fleet.cannot("write", folder.toString(), e);
    }
  }

  /** A file to write to. */
  Path unfinished() {
    return folder.resolve(Store.UNFINISHED + UUID.randomUUID());
  }

  /** What is in the store: a file's size, and when it was written. */
  record Item(long bytes, long changedMs) {}

  /** Fetches a file of the store to a path, which is not there. */
  interface Fetch {
    /** Does it, and returns what the store said of the file. */
    Item to(Path path, String name) throws Failure, IOException;
  }

  /** Copies of some files; those that are not there are fetched. */
  List<Path> of(List<String> names, List<@Nullable Item> items, Fetch fetch) throws Failure {
    List<Path> paths = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<@Nullable Void>> running = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        String name = names.get(i);
        Path path = folder.resolve(name);
        paths.add(path);
        if (!isCopy(path, items.get(i))) {
          running.add(executor.submit(() -> fetch(path, name, fetch)));
        }
      }
      for (Future<@Nullable Void> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case Failure failure -> throw failure;
        case IOException io -> throw Fleet.cannot("write", folder.toString(), io);
        case null, default -> throw new IllegalStateException(e.getCause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.other("interrupted");
    }
    return paths;
  }

  private static boolean isCopy(Path path, @Nullable Item item) {
    return item != null
        && path.toFile().length() == item.bytes
        && path.toFile().lastModified() == item.changedMs;
  }

  private @Nullable Void fetch(Path path, String name, Fetch fetch) throws Failure, IOException {
    Path file = unfinished();
    try {
      Item item = fetch.to(file, name);
      Files.setLastModifiedTime(file, FileTime.fromMillis(item.changedMs));
      Files.createDirectories(path.resolveSibling("."));
      Files.move(file, path, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(file);
    }
    return null;
  }

  /** Deletes copies below a folder whose files are gone. */
  void keep(String under, List<String> names) {
    Set<Path> kept = new HashSet<>();
    names.forEach(name -> kept.add(folder.resolve(name)));
    long before = System.currentTimeMillis() - YOUNG_MS;
    try (Stream<Path> all = Files.walk(folder.resolve(under))) {
      for (Path path : (Iterable<Path>) all::iterator) {
        if (Files.isRegularFile(path)
            && !kept.contains(path)
            && path.toFile().lastModified() < before) {
          Files.deleteIfExists(path);
        }
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      // There are none yet, or another program does the same; nothing reads them.
    }
  }

  /** Deletes files that were begun before a time, and never got their name. */
  void deleteUnfinished(long beforeMs) throws Failure {
    new FolderStore(folder).deleteUnfinished(beforeMs);
  }
}
